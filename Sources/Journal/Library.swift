package import MedleyCore
import Synchronization

/// The published snapshots: what every reader sees. Written by the committer alone, once an edit is durable.
package final class Library: Sendable {
    private let snapshots: Mutex<[String: Snapshot]>
    private let observer = Mutex<(@Sendable ([String]) -> Void)?>(nil)

    /// A library of what was recovered; an empty one by default.
    package init(_ snapshots: [String: Snapshot] = [:]) { self.snapshots = Mutex(snapshots) }

    /// The newest published snapshot of a collection. O(1); any thread.
    package func snapshot(of collection: String) -> Snapshot? {
        snapshots.withLock { $0[collection] }
    }

    /// The number of collections. O(1); any thread.
    package var count: Int { snapshots.withLock { $0.count } }

    /// All collections with their snapshots, by id. O(n log n) for n collections; any thread.
    package func all() -> [(collection: String, snapshot: Snapshot)] {
        snapshots.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Sets what is told the ids of collections that have been published anew or are gone; on the committer's thread.
    package func whenPublished(_ call: @escaping @Sendable ([String]) -> Void) { observer.withLock { $0 = call } }

    /// Publishes what was committed together.
    func publish(_ changes: [String: Snapshot?]) {
        snapshots.withLock { published in
            for (collection, snapshot) in changes { published[collection] = snapshot }
        }
        observer.withLock { $0 }?(Array(changes.keys))
    }

    /// Puts another state of the same revision in a snapshot's place: nobody has to be told.
    func replace(_ collection: String, with snapshot: Snapshot) {
        snapshots.withLock { $0[collection] = snapshot }
    }
}
