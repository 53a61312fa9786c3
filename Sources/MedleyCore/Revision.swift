/// A state of a collection: its lineage and a number that each committed edit raises by one.
public struct Revision: Hashable, Sendable, CustomStringConvertible {
    /// Random and new whenever numbers could repeat with other content: 1–32 characters of `[a-z0-9]`.
    public let lineage: String
    /// 1 for the first state of a lineage.
    public let number: UInt64

    /// Creates a revision.
    public init(lineage: String, number: UInt64) {
        self.lineage = lineage
        self.number = number
    }

    /// Parses `<lineage>-<number>`; `nil` if the text is anything else (leading zeros and signs included).
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard let dash = bytes.firstIndex(of: UInt8(ascii: "-")), (1...32).contains(dash) else { return nil }
        for byte in bytes[..<dash] {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
            default: return nil
            }
        }
        let digits = bytes[(dash + 1)...]
        guard let first = digits.first, first != UInt8(ascii: "0"), digits.count <= 20 else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            guard !overflowed, !carried else { return nil }
            value = sum
        }
        lineage = String(decoding: bytes[..<dash], as: UTF8.self)
        number = value
    }

    /// `<lineage>-<number>`.
    public var description: String { "\(lineage)-\(number)" }
}
