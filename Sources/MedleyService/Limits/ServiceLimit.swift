package import Journal
import MedleyCore
import MedleyJSON

/// A limit in force, as `GET /v1` tells it and `docs/limits.md` and the contract describe it.
package struct ServiceLimit: Sendable {
    /// What becomes of more.
    package enum Beyond: Hashable, Sendable {
        /// It is refused by this problem.
        case refused(status: Int, code: String)
        /// It is no error; this happens.
        case eased(String)
    }

    /// The name in `GET /v1`.
    package let name: String
    /// The value.
    package let value: Double
    /// What it bounds, in a few words.
    package let bounds: String
    /// What becomes of more.
    package let beyond: Beyond

    fileprivate init(_ name: String, _ value: Double, _ bounds: String, _ beyond: Beyond) {
        self.name = name
        self.value = value
        self.bounds = bounds
        self.beyond = beyond
    }

    fileprivate init(_ name: String, _ value: Int, _ bounds: String, _ code: ProblemCode) {
        self.init(name, Double(value), bounds, .refused(status: code.status, code: code.rawValue))
    }

    fileprivate init(_ name: String, _ value: Int, _ bounds: String, eased: String) {
        self.init(name, Double(value), bounds, .eased(eased))
    }
}

extension ServiceLimits {
    /// Every limit that a client or an operator may come to, in the order in which they are told.
    package func rows(_ commits: Committer.Limits) -> [ServiceLimit] {
        ofRequest + ofContent(commits) + ofAnswers + ofWaiting(commits)
    }

    private var ofRequest: [ServiceLimit] {
        [
            ServiceLimit("requestLineBytes", requestLineBytes, "Bytes of a request's first line", .uriTooLong),
            ServiceLimit("headBytes", headBytes, "Bytes of a request's header fields", .headTooLarge),
            ServiceLimit("headerFields", headerFields, "Header fields of a request", .headTooLarge),
            ServiceLimit(
                "requestSeconds", requestSeconds, "Seconds for a request to arrive",
                .refused(status: 408, code: "request-timeout")),
            ServiceLimit("bodyBytes", bodyBytes, "Bytes of a request's body", .contentTooLarge),
            ServiceLimit("pollBytes", pollBytes, "Bytes of the body of a poll of many collections", .contentTooLarge),
            ServiceLimit("changes", changes, "Changes of one request", .contentTooLarge),
            ServiceLimit(
                "requestNames", requestNames, "Items, ids and sections that one request names", .contentTooLarge),
            ServiceLimit("queryIds", queryIDs, "Ids in one query for items", .invalidQuery),
            ServiceLimit("depth", ContentLimits.depth, "Objects and arrays inside each other", .malformedJSON),
            ServiceLimit(
                "itemDepth", ContentLimits.ownDepth,
                "The same in one item, or in the own members of a section or collection",
                .malformedJSON),
            ServiceLimit(
                "requestsPerSecond", requestsPerSecond,
                "Requests a second of one token, or of one address without a token; 0 is no limit", .tooManyRequests),
            ServiceLimit(
                "requestBurst", requestBurst, "Requests that may come at once after a pause", .tooManyRequests),
        ]
    }

    private func ofContent(_ commits: Committer.Limits) -> [ServiceLimit] {
        [
            ServiceLimit("idBytes", ContentLimits.idByteCount, "Bytes of an item's or a section's id", .invalidItem),
            ServiceLimit("collectionIdBytes", Call.maximumIDByteCount, "Bytes of a collection's id", .invalidID),
            ServiceLimit(
                "modelBytes", Snapshot.maximumModelByteCount, "Bytes of an item's own members", .contentTooLarge),
            ServiceLimit("sectionBytes", sectionBytes, "Bytes of a section's own members", .contentTooLarge),
            ServiceLimit("members", Snapshot.maximumMembers, "A collection's own members", .contentTooLarge),
            ServiceLimit(
                "memberBytes", Snapshot.maximumMembersByteCount, "Bytes of a collection's own members",
                .contentTooLarge),
            ServiceLimit("types", Snapshot.maximumTypes, "Types of a collection's items", .invalidItem),
            ServiceLimit("collectionItems", collectionItems, "Items of a collection", .limitReached),
            ServiceLimit("sections", sections, "Sections of a collection", .limitReached),
            ServiceLimit(
                "collectionBytes", collectionBytes, "Bytes of a collection's items and sections", .limitReached),
            ServiceLimit("collections", commits.collections, "Collections", .limitReached),
        ]
    }

    private var ofAnswers: [ServiceLimit] {
        [
            ServiceLimit("pageItems", pageItems, "Items of a page", eased: "the page ends, with `next`"),
            ServiceLimit(
                "editAnswerBytes", editAnswerBytes,
                "Bytes of the answer to an edit, or four times the edit's where that is more",
                eased: "`changes` are left out"),
            ServiceLimit(
                "differenceBytes", differenceBytes, "Bytes of all large differences that are being sent",
                eased: "a reset instead"),
            ServiceLimit(
                "unsentBytes", unsentBytes, "Bytes that wait for one client that does not read",
                eased: "its next request waits"),
            ServiceLimit(
                "cursorSnapshots", heldSnapshots, "Snapshots held for cursors",
                eased: "the one used longest ago goes: 410 `cursor-gone`"),
            ServiceLimit(
                "cursorBytes", heldBytes, "Bytes of the snapshots held for cursors", eased: "as for `cursorSnapshots`"),
            ServiceLimit(
                "cursorSeconds", heldSeconds, "Seconds for which a cursor is held after its last use",
                .eased("as for `cursorSnapshots`")),
        ]
    }

    private func ofWaiting(_ commits: Committer.Limits) -> [ServiceLimit] {
        [
            ServiceLimit("connections", connections, "Connections", .overloaded),
            ServiceLimit(
                "connectionsPerAddress", connectionsPerAddress,
                "Connections of one address (IPv6: of a /64); loopback and trusted proxies have no such limit",
                .overloaded),
            ServiceLimit("waiting", waiting, "Held polls and open streams", .overloaded),
            ServiceLimit(
                "waitingPerAddress", waitingPerAddress, "Held polls and open streams of one address", .tooManyRequests),
            ServiceLimit(
                "waitSeconds", waitSeconds, "Seconds for which a poll is held", .eased("more counts as this many")),
            ServiceLimit(
                "followedCollections", followedCollections, "Collections that one poll or stream names", .invalidQuery),
            ServiceLimit(
                "followed", followed, "Collections that held polls and streams follow, counted for each of them",
                .overloaded),
            ServiceLimit(
                "followedPerAddress", followedPerAddress, "The same of one address", .tooManyRequests),
            ServiceLimit("arrivingBytes", arrivingBytes, "Bytes of bodies over 64 KiB that are arriving", .overloaded),
            ServiceLimit(
                "editBytes", editBytes, "Bytes of the bodies of edits under way, or whose answers are not yet taken",
                .overloaded),
            ServiceLimit(
                "importBytes", importBytes,
                "Bytes of memory that the entries of imports under way take; ten times `bodyBytes`", .overloaded),
            ServiceLimit("waitingBodies", waitingBodies, "Bodies over 64 KiB that wait to be decoded", .overloaded),
            ServiceLimit("waitingEdits", commits.waitingEdits, "Edits that wait to be kept", .overloaded),
        ]
    }
}
