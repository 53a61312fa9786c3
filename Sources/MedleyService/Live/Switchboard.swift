import HTTPCore
import Synchronization

/// What waits for collections to change, and is told on its loop when they have.
protocol Watcher: AnyObject, Sendable {
    /// Some collections have been published anew, or are gone; the watcher follows at least one of them. On its loop.
    func published(_ collections: Set<String>)
}

/// Tells those who wait, on each loop, of what was published: one job a loop, however many wait there.
final class Switchboard: Sendable {
    private let loops = Mutex<[ObjectIdentifier: LoopWatchers]>([:])

    /// Those who wait on a loop.
    ///
    /// Whoever registers there and then looks at what is published misses nothing: a publication after the look finds
    /// the loop here, and its job runs after the registration.
    func watchers(on loop: any LoopExecutor) -> LoopWatchers {
        loops.withLock { loops in
            if let known = loops[ObjectIdentifier(loop)] { return known }
            let watchers = LoopWatchers(loop)
            loops[ObjectIdentifier(loop)] = watchers
            return watchers
        }
    }

    /// Has all who wait for some of these collections told. Any thread, once they are published.
    func published(_ collections: some Sequence<String>) {
        let all = loops.withLock { Array($0) }
        for (id, watchers) in all where !watchers.schedule(collections) {
            // Its loop has ended, and nobody waits there any more.
            loops.withLock { loops in if loops[id] === watchers { loops[id] = nil } }
        }
    }
}

/// Those who wait on one loop, by what they wait for.
final class LoopWatchers: Sendable {
    /// Not held: a loop holds its server's handler, which holds this.
    private let loop: Mutex<WeakLoop>
    /// What was published since the last job, which is under way if there is something.
    private let pending = Mutex<Set<String>>([])
    /// Used on the loop only; the lock, never contended, says so to the compiler. It is not held while a watcher is told,
    /// since that may take the watcher out.
    private let state = Mutex(State())

    private struct State {
        var byCollection: [String: [ObjectIdentifier: any Watcher]] = [:]
        var ofAll: [ObjectIdentifier: any Watcher] = [:]
    }

    private struct WeakLoop {
        weak var loop: (any LoopExecutor)?
    }

    init(_ loop: any LoopExecutor) { self.loop = Mutex(WeakLoop(loop: loop)) }

    /// Adds a watcher of some collections, or of all (`nil`). On the loop.
    func add(_ watcher: any Watcher, to collections: [String]?) {
        state.withLock { state in
            guard let collections else {
                state.ofAll[ObjectIdentifier(watcher)] = watcher
                return
            }
            for collection in collections {
                state.byCollection[collection, default: [:]][ObjectIdentifier(watcher)] = watcher
            }
        }
    }

    /// Takes a watcher out again. On the loop.
    func remove(_ watcher: any Watcher, from collections: [String]?) {
        state.withLock { state in
            guard let collections else {
                state.ofAll[ObjectIdentifier(watcher)] = nil
                return
            }
            for collection in collections {
                state.byCollection[collection]?[ObjectIdentifier(watcher)] = nil
                if state.byCollection[collection]?.isEmpty == true { state.byCollection[collection] = nil }
            }
        }
    }

    /// Has those who wait told of what was published, together with what is published until then. Any thread. Says whether
    /// the loop is still there.
    func schedule(_ collections: some Sequence<String>) -> Bool {
        guard let loop = loop.withLock({ $0.loop }) else { return false }
        let isFirst = pending.withLock { pending in
            defer { pending.formUnion(collections) }
            return pending.isEmpty
        }
        return isFirst ? loop.execute { self.tell() } : true
    }

    private func tell() {
        let collections = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for watcher in watchers(of: collections) { watcher.published(collections) }
    }

    /// Those who follow one of some collections, each once.
    private func watchers(of collections: Set<String>) -> [any Watcher] {
        state.withLock { state in
            if collections.count == 1, state.ofAll.isEmpty, let collection = collections.first {
                return state.byCollection[collection].map { Array($0.values) } ?? []
            }
            var all = state.ofAll
            for collection in collections {
                if let some = state.byCollection[collection] { all.merge(some) { known, _ in known } }
            }
            return Array(all.values)
        }
    }
}
