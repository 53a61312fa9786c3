import HTTPCore

/// The protocol's problems: the one table from code to status and title.
enum ProblemCode: String, CaseIterable {
    case malformedJSON = "malformed-json"
    case invalidChange = "invalid-change"
    case invalidRevision = "invalid-revision"
    case invalidQuery = "invalid-query"
    case malformedRequest = "malformed-request"
    case unauthenticated = "unauthenticated"
    case forbidden = "forbidden"
    case collectionNotFound = "collection-not-found"
    case itemNotFound = "item-not-found"
    case sectionNotFound = "section-not-found"
    case typeNotFound = "type-not-found"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case requestTimeout = "request-timeout"
    case itemExists = "item-exists"
    case sectionExists = "section-exists"
    case noSection = "no-section"
    case keyInUse = "key-in-use"
    case limitReached = "limit-reached"
    case revisionGone = "revision-gone"
    case revisionUnknown = "revision-unknown"
    case lineageChanged = "lineage-changed"
    case cursorGone = "cursor-gone"
    case revisionStale = "revision-stale"
    case contentTooLarge = "content-too-large"
    case uriTooLong = "uri-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case expectationFailed = "expectation-failed"
    case misdirectedRequest = "misdirected-request"
    case invalidID = "invalid-id"
    case duplicateID = "duplicate-id"
    case anchorInList = "anchor-in-list"
    case wrongSection = "wrong-section"
    case notAPermutation = "not-a-permutation"
    case invalidItem = "invalid-item"
    case invalidDocument = "invalid-document"
    case keyReused = "key-reused"
    case headTooLarge = "request-header-fields-too-large"
    case `internal` = "internal"
    case notImplemented = "not-implemented"
    case tooManyRequests = "too-many-requests"
    case overloaded = "overloaded"
    case shuttingDown = "shutting-down"
    case storageFailed = "storage-failed"
    case versionNotSupported = "http-version-not-supported"

    /// The status and the title.
    private var row: (status: Int, title: String) {
        switch self {
        case .malformedJSON: (400, "The body is not JSON")
        case .invalidChange: (400, "The body has another shape than it must")
        case .invalidRevision: (400, "That is no revision")
        case .invalidQuery: (400, "The query is not understood")
        case .malformedRequest: (400, "The request is malformed")
        case .unauthenticated: (401, "It must be shown who asks")
        case .forbidden: (403, "That is not allowed")
        case .collectionNotFound: (404, "No such collection")
        case .itemNotFound: (404, "No such item")
        case .sectionNotFound: (404, "No such section")
        case .typeNotFound: (404, "No items of this type")
        case .notFound: (404, "Nothing is here")
        case .methodNotAllowed: (405, "The method is not allowed here")
        case .notAcceptable: (406, "No acceptable form")
        case .requestTimeout: (408, "The request took too long to arrive")
        case .itemExists: (409, "The item exists already")
        case .sectionExists: (409, "The section exists already")
        case .noSection: (409, "The collection has no section")
        case .limitReached: (409, "There is no room for more")
        case .keyInUse: (409, "The first request with this key is under way")
        case .revisionGone: (410, "The revision is too old to tell what changed since")
        case .revisionUnknown: (410, "The revision is newer than the collection")
        case .lineageChanged: (410, "The revision is of another lineage")
        case .cursorGone: (410, "The cursor's revision is no longer held")
        case .revisionStale: (412, "The collection has changed")
        case .contentTooLarge: (413, "The body is too long")
        case .uriTooLong: (414, "The request line is too long")
        case .unsupportedMediaType: (415, "The body's type is not taken here")
        case .expectationFailed: (417, "The expectation cannot be met")
        case .misdirectedRequest: (421, "This is not the server of that name")
        case .invalidID: (422, "The id is not allowed")
        case .duplicateID: (422, "An id stands twice")
        case .anchorInList: (422, "The anchor is in the list that it anchors")
        case .wrongSection: (422, "The section is not the anchor's")
        case .notAPermutation: (422, "The ids are not the section's")
        case .invalidItem: (422, "The item is not allowed")
        case .invalidDocument: (422, "The document cannot be read")
        case .keyReused: (422, "The key was used for another request")
        case .headTooLarge: (431, "The header fields are too long")
        case .internal: (500, "Something went wrong here")
        case .notImplemented: (501, "Not implemented")
        case .tooManyRequests: (429, "Too many requests")
        case .overloaded: (503, "Too much to do")
        case .shuttingDown: (503, "The service is stopping")
        case .storageFailed: (503, "The store failed")
        case .versionNotSupported: (505, "The HTTP version is not supported")
        }
    }

    /// The status.
    var status: Int { row.status }
    /// The title.
    var title: String { row.title }

    /// A problem of this code, with the header fields that every such problem carries.
    func problem(_ detail: String? = nil) -> Problem {
        var problem = Problem(code: rawValue, status: status, title: title, detail: detail)
        if status == 503 || status == 429 { problem.headers.add("Retry-After", "1") }
        if status == 410 { problem.headers.add("Cache-Control", "no-store") }
        return problem
    }

    /// The code for what the server refused by itself.
    init(refusal status: Int) {
        self =
            switch status {
            case 408: .requestTimeout
            case 413: .contentTooLarge
            case 414: .uriTooLong
            case 417: .expectationFailed
            case 431: .headTooLarge
            case 500: .internal
            case 501: .notImplemented
            case 503: .overloaded
            case 505: .versionNotSupported
            default: .malformedRequest
            }
    }
}
