import HTTPCore
import MedleyCore
import MedleyJSON

extension Problem {
    /// The problem of a body that could not be decoded.
    init(_ error: DecodingProblem) {
        // The raw values are the protocol's codes; a test holds both together.
        let code = ProblemCode(rawValue: error.code.rawValue) ?? .malformedRequest
        self = code.problem(Self.sentence(error.detail))
        if let pointer = error.pointer { self = with("pointer", pointer) }
        if let offset = error.offset { self = with("offset", offset) }
        if let limit = error.limit { self = with("limit", limit) }
    }

    /// The problem of changes that could not be carried out.
    ///
    /// - Parameter path: the error's path from the top of the client's body.
    init(_ error: ChangeError, path: some BidirectionalCollection<ChangeError.Step>) {
        let id = error.subject
        let (code, detail): (ProblemCode, String) =
            switch error.code {
            case .itemNotFound: (.itemNotFound, "No item has the id \"\(id)\".")
            case .sectionNotFound: (.sectionNotFound, "No section has the id \"\(id)\".")
            case .itemExists: (.itemExists, "An item has the id \"\(id)\" already; upsert replaces it.")
            case .sectionExists: (.sectionExists, "A section has the id \"\(id)\" already.")
            case .noSection: (.noSection, "Items need a section; insert one first.")
            case .duplicateID: (.duplicateID, "\"\(id)\" stands twice.")
            case .anchorInList: (.anchorInList, "\"\(id)\" cannot be its own anchor.")
            case .wrongSection: (.wrongSection, "\"\(id)\" is not in that section.")
            case .notAPermutation: (.notAPermutation, "The ids must be those of the section; see \"\(id)\".")
            case .invalidItem: (.invalidItem, Self.invalidItem(path.last, id))
            case .tooLarge: (.contentTooLarge, "A model or the collection's own members would be too large.")
            case .collectionFull: (.limitReached, "The collection would be too large.")
            }
        self = code.problem(detail)
        if let limit = error.limit { self = with("limit", limit) }
        if !path.isEmpty { self = with("pointer", JSONPointer.text(of: path)) }
    }

    private static func invalidItem(_ last: ChangeError.Step?, _ id: String) -> String {
        switch last {
        case .member("id"): "The id of \"\(id)\" cannot change."
        case .member("type"):
            "A new item must have a type, and the type of one that exists, see \"\(id)\", cannot change."
        default: "A collection has at most \(Snapshot.maximumTypes) types."
        }
    }

    /// Capital first, point last.
    static func sentence(_ text: String) -> String {
        let begun = text.prefix(1).uppercased() + text.dropFirst()
        return begun.hasSuffix(".") ? begun : begun + "."
    }
}
