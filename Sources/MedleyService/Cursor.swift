import MedleyCore

/// Where the next page starts: a position in the snapshot of one revision, under the same filters.
///
/// Its text is opaque to clients. A checksum tells it from what no server gave; it needs no secret, since whoever can ask
/// for a page may ask for any.
struct Cursor: Hashable, Sendable {
    let revision: Revision
    let position: ItemPosition
    /// What the filters hash to; another filter has other pages.
    let filter: UInt64

    init(revision: Revision, position: ItemPosition, filter: UInt64) {
        self.revision = revision
        self.position = position
        self.filter = filter
    }

    /// Hexadecimal digits.
    var text: String {
        let content = "\(revision).\(position.section).\(position.item)"
        let bytes = Array(content.utf8) + [UInt8(ascii: ".")] + Array(checksum(content).utf8)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads a text; `nil` if it was not given for a page under these filters.
    init?(_ text: String, filter: UInt64) {
        guard text.utf8.count % 2 == 0, text.utf8.count <= 512 else { return nil }
        var bytes: [UInt8] = []
        var digits = text.utf8.makeIterator()
        while let high = digits.next(), let low = digits.next() {
            guard let high = Self.value(high), let low = Self.value(low) else { return nil }
            bytes.append(high << 4 | low)
        }
        guard let content = String(validating: bytes, as: UTF8.self) else { return nil }
        let fields = content.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 4, let revision = Revision(fields[0]), let section = Int(fields[1]),
            let item = Int(fields[2]), section >= 0, item >= 0
        else { return nil }
        self.init(revision: revision, position: ItemPosition(section: section, item: item), filter: filter)
        guard self.text == text else { return nil }
    }

    private func checksum(_ content: String) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add("cursor")
        fingerprint.add(content)
        fingerprint.add(String(filter))
        return fingerprint.text
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
