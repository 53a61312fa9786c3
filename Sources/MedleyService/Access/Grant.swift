/// What someone may do, and with which collections.
package struct Grant: Hashable, Sendable {
    /// Whom it was given to.
    package let name: String
    /// The most that they may do.
    package let right: Right
    /// The collections that they may do it with; for them there are no others.
    package let collections: [CollectionPattern]

    /// Creates a grant.
    package init(name: String, right: Right, collections: [CollectionPattern]) {
        self.name = name
        self.right = right
        self.collections = collections
    }

    /// Whether a collection is one of those that there are for them.
    package func covers(_ collection: String) -> Bool {
        collections.contains { $0.matches(collection) }
    }

    /// Whether all collections are, those too that are yet to be made.
    package var coversAll: Bool { collections.contains(.all) }

    /// Parses patterns with commas between them; `nil` if one is none or there are too many.
    package static func patterns(_ text: String) -> [CollectionPattern]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let patterns = parts.compactMap { CollectionPattern(String($0)) }
        return patterns.count == parts.count && patterns.count <= mostPatterns ? patterns : nil
    }

    /// The most patterns of one grant.
    package static let mostPatterns = 64
}
