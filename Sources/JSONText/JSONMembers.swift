/// The members of a JSON object as compact text, without the braces: `"title":"Layla","year":1970`.
///
/// Order, number text and string escapes are those of the source; only the space between tokens is gone.
/// A value of this type always holds valid text: it comes from `JSONScanner`, from a merge, or from a
/// caller who vouches for it.
public struct JSONMembers: Hashable, Sendable {
    /// The compact text; empty for an object without members.
    public private(set) var bytes: [UInt8]

    /// No members.
    public static let empty = JSONMembers(trusted: [])

    /// Wraps text that is known to be valid and compact; nothing is checked.
    public init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether there are no members.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The value of the member with this name, as compact text; `nil` if there is none. O(bytes).
    public func value(of name: String) -> ArraySlice<UInt8>? {
        first { $0.name.equals(name) }?.value
    }

    /// The characters of the member with this name, UTF-8; `nil` if there is none or it is no string. O(bytes).
    public func string(of name: String) -> ArraySlice<UInt8>? {
        guard let value = value(of: name), value.first == UInt8(ascii: "\"") else { return nil }
        return JSONString(trusted: value).utf8
    }

    /// Adds a member at the end; the caller vouches that there is none of its name. O(bytes added).
    public mutating func append(name: String, value: some Sequence<UInt8>) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        JSONWriter.append(string: name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: value)
    }

    /// Adds a member at the end; the caller vouches that there is none of its name. O(bytes added).
    public mutating func append(nameText: some Sequence<UInt8>, value: some Sequence<UInt8>) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: nameText)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: value)
    }

    /// Gives the member of this name a value, compact text, where it stands, or adds it at the end. O(bytes).
    public mutating func set(name: String, value: [UInt8]) {
        if let old = self.value(of: name) {
            bytes.replaceSubrange(old.startIndex..<old.endIndex, with: value)
        } else {
            append(name: name, value: value)
        }
    }
}
