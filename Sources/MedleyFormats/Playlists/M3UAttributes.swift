/// The attributes of a directive: `tvg-id="one" group-title="News, local" radio=true`.
struct M3UAttributes {
    /// What was found, in order.
    private(set) var attributes: [(name: [UInt8], value: [UInt8])] = []
    /// The words between them that are none.
    private(set) var words: [[UInt8]] = []
    /// Where the first comma outside of quotes is; `nil` if there is none.
    private(set) var comma: Int?
    /// Where the last attribute ends.
    private(set) var end: Int

    private let text: [UInt8]
    private var index: Int
    private var hasNoMoreClosingQuotes = false

    /// Reads the attributes from an offset on, up to a comma or the end. O(bytes).
    init(_ text: [UInt8], from start: Int) {
        self.text = text
        index = start
        end = start
        while true {
            while index < text.count, isSpace(index) { index += 1 }
            guard index < text.count else { return }
            if text[index] == UInt8(ascii: ",") {
                comma = index
                return
            }
            if let equals = endOfName(from: index) {
                let name = Array(text[index..<equals])
                attributes.append((name, value(from: equals + 1)))
                end = index
            } else {
                let start = index
                while index < text.count, !isSpace(index), text[index] != UInt8(ascii: ",") { index += 1 }
                words.append(Array(text[start..<index]))
            }
        }
    }

    private func isSpace(_ index: Int) -> Bool { text[index] == 0x20 || text[index] == 0x09 }

    /// Where the equals sign is, if a name stands before one.
    private func endOfName(from start: Int) -> Int? {
        var index = start
        while index < text.count, text[index].isLetter || text[index].isDigit || "-_.:".utf8.contains(text[index]) {
            index += 1
        }
        return index > start && index < text.count && text[index] == UInt8(ascii: "=") ? index : nil
    }

    /// Reads a value and moves behind it.
    private mutating func value(from start: Int) -> [UInt8] {
        index = start
        if index < text.count, text[index] == UInt8(ascii: "\"") {
            if let quote = closingQuote(from: index + 1) {
                defer { index = quote + 1 }
                return Array(text[(index + 1)..<quote])
            }
            // The quote is never closed: the value ends where the attributes do.
            index += 1
            let from = index
            while index < text.count, text[index] != UInt8(ascii: ",") { index += 1 }
            return Array(text[from..<index]).trimmed
        }
        while index < text.count, !isSpace(index), text[index] != UInt8(ascii: ",") { index += 1 }
        return Array(text[start..<index])
    }

    /// The quote that ends a value: one before white space, a comma, the end or the next attribute, since values with
    /// quotes in them are met with.
    private mutating func closingQuote(from start: Int) -> Int? {
        guard !hasNoMoreClosingQuotes else { return nil }
        for index in start..<max(start, text.count) where text[index] == UInt8(ascii: "\"") {
            let next = index + 1
            if next == text.count || isSpace(next) || text[next] == UInt8(ascii: ",") || endOfName(from: next) != nil {
                return index
            }
        }
        hasNoMoreClosingQuotes = true
        return nil
    }
}
