import MedleyCore

/// Where a client stands with a collection.
enum StreamPosition: Equatable, Sendable {
    /// It holds nothing, or does not say.
    case none
    /// It holds a revision.
    case revision(Revision)
    /// It holds something, but nobody knows what.
    case unknown
    /// It knows that there is no such collection.
    case gone

    /// Parses `a=R1,b=R2`; `nil` if it is anything else.
    static func positions(_ text: String) -> [String: StreamPosition]? {
        var positions: [String: StreamPosition] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let revision = Revision(sides[1]), Call.isCollectionID(String(sides[0])),
                positions.updateValue(.revision(revision), forKey: String(sides[0])) == nil
            else { return nil }
        }
        return positions
    }
}
