package import HTTPCore

/// What bounds a request and what is kept for it. `rows(_:)` is the table of all limits that clients are told.
package struct ServiceLimits: Sendable {
    // MARK: A request

    /// The most bytes of a request's first line; the server holds to it.
    package var requestLineBytes = 32 << 10
    /// The most bytes of a request's header fields; the server holds to it.
    package var headBytes = 32 << 10
    /// The most header fields of a request; the server holds to it.
    package var headerFields = 100
    /// The seconds for a request's header fields and body to arrive; the server holds to it.
    package var requestSeconds: Double = 30
    /// The most bytes of a request's body.
    package var bodyBytes = 64 << 20
    /// The most bytes of a poll's body, which is read on a loop.
    package var pollBytes = 256 << 10
    /// The most changes of one request.
    package var changes = 100_000
    /// The most items, ids and sections that one request names.
    package var requestNames = 2_000_000
    /// The most ids of one query.
    package var queryIDs = 1_000
    /// The requests a second of one token, or of one address without; 0 for any number.
    package var requestsPerSecond = 100
    /// The requests that may come at once after a pause.
    package var requestBurst: Int { requestsPerSecond * 4 }
    /// Whether loopback addresses, where proxies are, are limited neither in requests without a token nor in waiting ones.
    package var loopbackIsExempt = true

    // MARK: Collections

    /// The most bytes of a section's own members.
    package var sectionBytes = 64 << 10
    /// The most items of a collection.
    package var collectionItems = 2_000_000
    /// The most sections of a collection.
    package var sections = 10_000
    /// The most bytes of a collection as JSON.
    package var collectionBytes = 4 << 30

    // MARK: Answers

    /// The most items of one page.
    package var pageItems = 10_000
    /// The most items that are looked at for one page; where a filter passes few of them it has fewer than were asked for.
    package var pageItemsLookedAt = 1 << 15
    /// The most bytes of the answer to a small edit.
    package var editAnswerBytes = 1 << 20
    /// The most bytes that the larger differences that are being sent may come to.
    package var differenceBytes = 256 << 20
    /// The most bytes of responses that wait for a client before its next request is begun; the server holds to it.
    package var unsentBytes = 256 << 10
    /// The most snapshots that are held for cursors.
    package var heldSnapshots = 64
    /// About the most bytes of JSON that the snapshots held for cursors may come to; the newest is held in any case.
    package var heldBytes = 512 << 20
    /// The seconds after which a snapshot is no longer held for a cursor that nobody used.
    package var heldSeconds: Double = 300

    // MARK: Those who wait

    /// The most connections; the server holds to it.
    package var connections = 30_000
    /// The most connections of one client network, an IPv4 address or the first 64 bits of an IPv6 one; the server holds to
    /// it. Loopback and trusted proxies have no such limit.
    package var connectionsPerAddress = 1_500
    /// The most held polls and streams.
    package var waiting = 20_000
    /// The most held polls and streams of one client address.
    package var waitingPerAddress = 1_000
    /// The most seconds that a poll is held.
    package var waitSeconds: Double = 60
    /// The most collections of one poll or stream that names them.
    package var followedCollections = 1_000
    /// The most collections that all held polls and streams follow, one counted for each that follows it.
    package var followed = 2_000_000
    /// The most of them of one client address, so that it takes four to use all up.
    package var followedPerAddress = 500_000
    /// The most bytes of large bodies that are arriving; the server holds to it.
    package var arrivingBytes = 512 << 20
    /// The most bytes that the bodies of all edits under way may come to; one edit is admitted in any case.
    package var editBytes = 256 << 20
    /// The most large bodies that may wait to be decoded.
    package var waitingBodies = 64

    /// How many times `bodyBytes` that may be.
    static let importFactor = 10

    /// The most bytes that what imports under way are made of may take in memory; one import may have all of it.
    var importBytes: Int { Self.importFactor * bodyBytes }

    /// The defaults.
    package init() {}

    /// What the server holds to by itself.
    package var ofRequests: RequestLimits {
        var limits = RequestLimits()
        limits.requestLine = requestLineBytes
        limits.headerBytes = headBytes
        limits.headerCount = headerFields
        return limits
    }
}
