import JSONText
import MedleyClient
import MedleyCore
import MedleyJSON
import Synchronization

/// A client under test: follows a collection and says what it holds.
final class FollowingClient: Sendable {
    struct State: Sendable {
        var snapshot: Snapshot?
        var isGone = false
        var failure: String?
        var counts: [String: Int] = [:]
    }

    private let box = Box()
    private let news: AsyncStream<Void>
    private let task: Task<Void, Never>

    /// Starts to follow.
    init(_ collection: CollectionClient) {
        let (news, teller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.news = news
        task = Task { [box] in
            do throws(ClientError) {
                var events = collection.events().makeAsyncIterator()
                while let event = try await events.next() {
                    box.take(event)
                    teller.yield()
                }
            } catch {
                box.fail("\(error)")
                teller.yield()
            }
        }
    }

    deinit { task.cancel() }

    /// What it holds now.
    var current: State { box.state.withLock { $0 } }

    /// Waits until what it holds is as wanted, or it has failed.
    func settle(_ isWanted: @Sendable (State) -> Bool) async -> State {
        if isWanted(current) || current.failure != nil { return current }
        for await _ in news where isWanted(current) || current.failure != nil { break }
        return current
    }

    private final class Box: Sendable {
        let state = Mutex(State())

        func fail(_ text: String) { state.withLock { $0.failure = text } }

        func take(_ event: CollectionEvent) {
            state.withLock { state in
                switch event {
                case .connected: state.counts["connected", default: 0] += 1
                case .disconnected: state.counts["disconnected", default: 0] += 1
                case .gone:
                    state.counts["gone", default: 0] += 1
                    state.snapshot = nil
                    state.isGone = true
                case .resynchronizing(let error): state.failure = "\(error)"
                case .updated(let update):
                    state.counts[update.isReset ? "reset" : "updated", default: 0] += 1
                    // The changes alone, applied naively, make the one snapshot of the other.
                    var naive = update.isReset ? NaiveCollection() : update.before.map { NaiveCollection($0) }
                    for change in update.changes { naive?.apply(change) }
                    if naive != NaiveCollection(update.snapshot) {
                        state.failure = "the changes do not lead to \(update.snapshot.revision)"
                    }
                    state.snapshot = update.snapshot
                    state.isGone = false
                }
            }
        }
    }
}
