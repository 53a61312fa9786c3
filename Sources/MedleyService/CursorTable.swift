import MedleyCore
import Synchronization

/// The snapshots that cursors are pinned to, bounded by their number, their size, and the time since one was last used.
final class CursorTable: Sendable {
    private struct Entry {
        let collection: String
        let snapshot: Snapshot
        var lastUse: Double
    }

    private let limits: ServiceLimits
    private let now: @Sendable () -> Double
    /// The one used last is last.
    private let entries = Mutex<[Entry]>([])

    init(limits: ServiceLimits, now: @escaping @Sendable () -> Double) {
        self.limits = limits
        self.now = now
    }

    /// Holds a snapshot, or goes on holding it. O(snapshots held), which are few.
    func hold(_ snapshot: Snapshot, of collection: String) {
        let time = now()
        entries.withLock { entries in
            entries.removeAll { $0.collection == collection && $0.snapshot.revision == snapshot.revision }
            entries.append(Entry(collection: collection, snapshot: snapshot, lastUse: time))
            drop(from: &entries, at: time)
        }
    }

    /// The snapshot of a revision, if it is held. O(snapshots held).
    func find(_ revision: Revision, of collection: String) -> Snapshot? {
        let time = now()
        return entries.withLock { entries in
            drop(from: &entries, at: time)
            guard
                let index = entries.firstIndex(where: {
                    $0.collection == collection && $0.snapshot.revision == revision
                })
            else { return nil }
            var entry = entries.remove(at: index)
            entry.lastUse = time
            entries.append(entry)
            return entry.snapshot
        }
    }

    /// Lets go of what was not used for too long. O(snapshots held).
    func dropIdle() {
        let time = now()
        entries.withLock { drop(from: &$0, at: time) }
    }

    /// The number of snapshots held.
    var count: Int { entries.withLock { $0.count } }

    private func drop(from entries: inout [Entry], at time: Double) {
        entries.removeAll { $0.lastUse + limits.heldSeconds <= time }
        var bytes = 0
        var kept = 0
        for entry in entries.reversed() {
            bytes += entry.snapshot.approximateByteCount
            if kept > 0, kept >= limits.heldSnapshots || bytes > limits.heldBytes { break }
            kept += 1
        }
        entries.removeFirst(entries.count - kept)
    }
}
