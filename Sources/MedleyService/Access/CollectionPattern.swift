/// Which collections are meant: one by its id, those whose ids begin alike (`team-*`), or all (`*`).
package struct CollectionPattern: Hashable, Sendable, CustomStringConvertible {
    /// As it is written.
    package let description: String
    private let stem: [UInt8]
    private let isPrefix: Bool

    /// All collections.
    package static let all = CollectionPattern(stem: [], isPrefix: true)

    /// Parses a pattern; `nil` if no collection's id could match it or a star stands elsewhere than at its end.
    package init?(_ text: String) {
        let isPrefix = text.hasSuffix("*")
        let stem = isPrefix ? String(text.dropLast()) : text
        guard Call.isCollectionID(stem) || (isPrefix && stem.isEmpty) else { return nil }
        self.init(stem: Array(stem.utf8), isPrefix: isPrefix)
    }

    private init(stem: [UInt8], isPrefix: Bool) {
        self.stem = stem
        self.isPrefix = isPrefix
        description = String(decoding: stem, as: UTF8.self) + (isPrefix ? "*" : "")
    }

    /// Whether a collection is one of those that are meant, by the bytes of its id. O(length).
    package func matches(_ collection: String) -> Bool {
        isPrefix ? collection.utf8.starts(with: stem) : collection.utf8.elementsEqual(stem)
    }
}
