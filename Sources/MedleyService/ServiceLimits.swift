/// What bounds a request and what is kept for it. The service document tells them to clients.
package struct ServiceLimits: Sendable {
    /// The most bytes of a request's body.
    package var bodyBytes = 64 << 20
    /// The most bytes of a request's line and header fields; the server holds to it.
    package var headBytes = 64 << 10
    /// The seconds for a request's header fields and body to arrive; the server holds to it.
    package var requestSeconds: Double = 30
    /// The most items of one page.
    package var pageItems = 10_000
    /// The most items that are looked at for one page; where a filter passes few of them it has fewer than were asked for.
    package var pageItemsLookedAt = 1 << 15
    /// The most snapshots that are held for cursors.
    package var heldSnapshots = 64
    /// About the most bytes of JSON that the snapshots held for cursors may come to; the newest is held in any case.
    package var heldBytes = 512 << 20
    /// The seconds after which a snapshot is no longer held for a cursor that nobody used.
    package var heldSeconds: Double = 300
    /// The most large bodies that may wait to be decoded.
    package var waitingBodies = 64
    /// The most held polls and streams.
    package var waiting = 20_000
    /// The most held polls and streams of one client address.
    package var waitingPerAddress = 1_000
    /// Whether loopback addresses, where proxies are, have no such limit.
    package var loopbackIsExempt = true
    /// The most seconds that a poll is held.
    package var waitSeconds: Double = 60
    /// The most collections of one poll or stream that names them.
    package var followedCollections = 1_000
    /// The most bytes that the bodies of all edits under way may come to, one edit is admitted in any case; and the most
    /// that those may come to that are on their way to the server, the first 64 KiB of each left aside.
    package var editBytes = 256 << 20

    /// How many times `bodyBytes` the items may take in memory that all imports under way are made of; one import may have
    /// all of it.
    static let importFactor = 10

    /// The bytes of that.
    var importBytes: Int { Self.importFactor * bodyBytes }

    /// The defaults.
    package init() {}
}
