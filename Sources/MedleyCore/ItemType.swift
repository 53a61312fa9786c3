/// An item's type, `[a-z][A-Za-z0-9]{0,63}`: `music`, `video`, `shortVideo`, …
public struct ItemType: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// Makes a type; `nil` if the name is not of the form.
    public init?(_ name: String) {
        let bytes = name.utf8
        guard (1...64).contains(bytes.count), let first = bytes.first, Self.isLower(first) else { return nil }
        guard bytes.allSatisfy({ Self.isLower($0) || Self.isUpper($0) || Self.isDigit($0) }) else { return nil }
        self.name = name
    }

    /// The order of the names' bytes.
    public static func < (left: ItemType, right: ItemType) -> Bool { left.name < right.name }

    /// The name.
    public var description: String { name }

    private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
