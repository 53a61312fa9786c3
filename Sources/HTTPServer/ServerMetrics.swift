import Synchronization

/// What a server has counted since it started.
package struct ServerMetrics: Hashable, Sendable {
    /// Connections that are open now.
    package var openConnections = 0
    /// Connections that were accepted.
    package var acceptedConnections = 0
    /// Connections that were turned away because too many were open.
    package var rejectedConnections = 0
    /// Requests that are held now.
    package var heldRequests = 0
    /// Live streams that are being sent now.
    package var liveStreams = 0
    /// Requests that were understood.
    package var requests = 0
    /// Requests that the server itself refused.
    package var refusals = 0
    /// Bytes that were read.
    package var bytesIn = 0
    /// Bytes that were written.
    package var bytesOut = 0
}

/// The counters of one loop; written on its thread only, read on any.
final class LoopCounters: Sendable {
    let open = Counter()
    let accepted = Counter()
    let rejected = Counter()
    let held = Counter()
    let live = Counter()
    let requests = Counter()
    let refusals = Counter()
    let bytesIn = Counter()
    let bytesOut = Counter()

    func add(to metrics: inout ServerMetrics) {
        metrics.openConnections += open.value
        metrics.acceptedConnections += accepted.value
        metrics.rejectedConnections += rejected.value
        metrics.heldRequests += held.value
        metrics.liveStreams += live.value
        metrics.requests += requests.value
        metrics.refusals += refusals.value
        metrics.bytesIn += bytesIn.value
        metrics.bytesOut += bytesOut.value
    }
}

/// A number with one writer, so that adding to it needs no locked instruction.
struct Counter: ~Copyable, Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ amount: Int) {
        number.store(number.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }
}
