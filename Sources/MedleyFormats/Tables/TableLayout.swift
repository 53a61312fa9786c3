/// The columns by which a table that was exported from here is told, and how its cells are kept from being taken for
/// formulas.
enum TableLayout {
    /// The first columns: what an item has beside its model.
    static let leading = ["id", "type", "liked", "section", "sectionTitle"].map { Array($0.utf8) }
    static let section = 3
    static let sectionTitle = 4

    /// Whether columns are those of an exported table.
    static func isOwn(_ columns: [[UInt8]]) -> Bool { columns.starts(with: leading) }

    /// The text with an apostrophe before it if a spreadsheet could take it for a formula: if it begins with `=`, `+`,
    /// `-`, `@`, a tab or a line end, apostrophes before that or not, and is no number.
    static func guarded(_ text: [UInt8]) -> [UInt8] {
        needsGuard(text) && !text.isJSONNumber ? [apostrophe] + text : text
    }

    /// The text that `guarded` was given.
    static func unguarded(_ text: [UInt8]) -> [UInt8] {
        text.first == apostrophe && needsGuard(text) ? Array(text.dropFirst()) : text
    }

    private static let apostrophe = UInt8(ascii: "'")

    private static func needsGuard(_ text: [UInt8]) -> Bool {
        guard let first = text.first(where: { $0 != apostrophe }) else { return false }
        return "=+-@\t\r\n".utf8.contains(first)
    }
}
