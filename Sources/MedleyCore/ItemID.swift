/// An item's id: 1–256 bytes of UTF-8, equal only when the bytes are.
///
/// `String` would not do: it takes both normal forms of `é` for the same. An item's own id is a view of the bytes that
/// the item holds anyway, so taking it costs no allocation.
public struct ItemID: Sendable {
    let storage: ByteString
    let count: Int

    /// Makes an id from UTF-8 bytes; what an id may be is checked where it is read (`MedleyJSON`).
    public init(utf8 bytes: [UInt8]) {
        storage = ByteString(bytes)
        count = bytes.count
    }

    /// Makes an id from text.
    public init(_ text: String) {
        self.init(utf8: Array(text.utf8))
    }

    init(prefixOf storage: ByteString, count: Int) {
        self.storage = storage
        self.count = count
    }

    /// The bytes. O(bytes).
    public var utf8: [UInt8] { storage.copy(0..<count) }
}

extension ItemID: Hashable {
    /// Whether the bytes are the same.
    public static func == (left: ItemID, right: ItemID) -> Bool {
        if left.count != right.count { return false }
        if left.storage === right.storage { return true }
        return unsafe left.storage.withBytes(0..<left.count) { a in
            unsafe right.storage.withBytes(0..<right.count) { b in
                unsafe a.elementsEqual(b)
            }
        }
    }

    /// Hashes the bytes, seeded for each process.
    public func hash(into hasher: inout Hasher) {
        unsafe storage.withBytes(0..<count) { unsafe hasher.combine(bytes: $0) }
    }
}

extension ItemID: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The id as text.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    /// Makes an id from a literal.
    public init(stringLiteral value: String) { self.init(value) }
}
