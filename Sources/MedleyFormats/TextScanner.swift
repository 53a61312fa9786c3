/// Walks over a short text by its bytes, for forms that are too small for a parser and are read too often for regular
/// expressions, which are compiled anew each time.
struct TextScanner {
    private var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    /// Whether nothing is left.
    var isAtEnd: Bool { rest.isEmpty }

    /// What is left.
    var remainder: Substring { Substring(rest) }

    /// Takes as many digits as there are, if their number is in the range.
    mutating func digits(_ range: ClosedRange<Int>) -> Substring? {
        let digits = rest.prefix(while: \.isDigit)
        guard range.contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        return Substring(digits)
    }

    /// Takes as many digits as there are, at most 15 and as many as the range allows, as a number.
    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        digits(range.lowerBound...min(15, range.upperBound)).flatMap { Int($0) }
    }

    /// Takes a character of ASCII if it comes next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Takes all bytes that come next and meet a condition; returns how many.
    @discardableResult
    mutating func skipAll(_ condition: (UInt8) -> Bool) -> Int {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return taken.count
    }

    /// Takes a point and digits behind it, if both come next; returns the digits.
    mutating func fraction() -> Substring? {
        let start = rest
        guard skip("."), let digits = digits(1...12) else {
            rest = start
            return nil
        }
        return digits
    }
}
