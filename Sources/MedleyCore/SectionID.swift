/// A section's id: 1–256 bytes of UTF-8, equal only when the bytes are.
public struct SectionID: Sendable {
    let storage: ByteString

    /// Makes an id from UTF-8 bytes; what an id may be is checked where it is read (`MedleyJSON`).
    public init(utf8 bytes: [UInt8]) {
        storage = ByteString(bytes)
    }

    /// Makes an id from text.
    public init(_ text: String) {
        self.init(utf8: Array(text.utf8))
    }

    /// The bytes. O(bytes).
    public var utf8: [UInt8] { storage.copy(0..<storage.count) }

    private var asItemID: ItemID { ItemID(prefixOf: storage, count: storage.count) }
}

extension SectionID: Hashable {
    /// Whether the bytes are the same.
    public static func == (left: SectionID, right: SectionID) -> Bool { left.asItemID == right.asItemID }

    /// Hashes the bytes, seeded for each process.
    public func hash(into hasher: inout Hasher) { asItemID.hash(into: &hasher) }
}

extension SectionID: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The id as text.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    /// Makes an id from a literal.
    public init(stringLiteral value: String) { self.init(value) }
}
