import Foundation
import HTTPCore

/// The time of a line as RFC 3339 writes it, in UTC with milliseconds; a second is put in words once.
package struct LogTime {
    private var second = Int.min
    /// `2026-01-31T12:00:00`
    private var text: [UInt8] = []

    /// Creates a time that has put nothing in words yet.
    package init() {}

    /// Appends a time in milliseconds since 1970.
    package mutating func append(_ milliseconds: Int, to line: inout [UInt8]) {
        let (second, rest) = Self.parts(milliseconds)
        if second != self.second {
            self.second = second
            let words = Date(timeIntervalSince1970: Double(second)).formatted(.iso8601)
            text = Array(words.utf8.dropLast())
        }
        line += text
        line.append(UInt8(ascii: "."))
        line.append(UInt8(ascii: "0") + UInt8(rest / 100))
        line.append(UInt8(ascii: "0") + UInt8(rest / 10 % 10))
        line.append(UInt8(ascii: "0") + UInt8(rest % 10))
        line.append(UInt8(ascii: "Z"))
    }

    private static func parts(_ milliseconds: Int) -> (second: Int, rest: Int) {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? (quotient - 1, remainder + 1_000) : (quotient, remainder)
    }
}
