/// What stands before an XML document's root element, looked at byte by byte before any parser sees it: how the text
/// is encoded, that it declares nothing, and which element it is all about.
///
/// A document type declaration may name a file elsewhere, which is never fetched; one that declares anything itself
/// is refused, so that no entity can be defined, let alone one that grows or reads a file.
struct XMLProlog {
    /// The most bytes that a prolog may have.
    static let limit = 1 << 16

    /// The root element's name as it is written.
    private(set) var root = ""
    private let text: [UInt8]
    private var position = 0
    private var line = 1

    /// Whether bytes begin an XML document in UTF-16.
    static func isUTF16(_ head: some Collection<UInt8>) -> Bool {
        let start = Array(head.prefix(256))
        guard start.contains(0) else { return false }
        return narrowed(start).first { !$0.isJSONSpace } == UInt8(ascii: "<")
    }

    /// Reads the prolog of a document that begins with `head`, which is all of it or `limit` bytes and more.
    ///
    /// Throws `malformed`, `notUTF8` for an encoding that cannot be read, or `tooLarge`.
    init(_ head: some Collection<UInt8>) throws(FormatError) {
        let isWhole = head.count < Self.limit
        text = Self.narrowed(Array(head.prefix(Self.limit)))
        skipSpace()
        // Only at the very start is this a declaration; a parser refuses it elsewhere.
        if text[position...].starts(with: "<?xml".utf8) {
            let declaration = try skip(to: "?>", isWhole)
            try Self.checkEncoding(declaration)
        }
        while true {
            skipSpace()
            let rest = text[position...]
            if rest.starts(with: "<!--".utf8) {
                position += 4
                _ = try skip(to: "-->", isWhole)
            } else if rest.starts(with: "<?".utf8) {
                _ = try skip(to: "?>", isWhole)
            } else if rest.starts(with: "<!DOCTYPE".utf8) || rest.starts(with: "<!doctype".utf8) {
                try skipDocumentType(isWhole)
            } else {
                break
            }
        }
        guard position < text.count else { throw end(isWhole) }
        guard text[position] == UInt8(ascii: "<") else {
            throw FormatError(.malformed, "not XML: something stands before the first element", line: line)
        }
        let name = text[(position + 1)...].prefix {
            !$0.isJSONSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        root = String(decoding: name, as: UTF8.self)
        guard let first = name.first, first >= 0x80 || first == UInt8(ascii: "_") || isLetter(first) else {
            throw FormatError(.malformed, "not XML: there is no element where one has to begin", line: line)
        }
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// UTF-16 as one byte a unit, what is not ASCII as `?`: enough to find markup. Other text as it is.
    private static func narrowed(_ head: [UInt8]) -> [UInt8] {
        var bytes = head[...]
        var high: Int?
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0x00, 0x3C]) {
            high = 0
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0x00]) {
            high = 1
        }
        guard let high else {
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
            return Array(bytes)
        }
        if bytes.first != 0, bytes.first != 0x3C { bytes = bytes.dropFirst(2) }
        return stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            let low = bytes[index + 1 - high]
            return bytes[index + high] == 0 && low < 0x80 ? low : UInt8(ascii: "?")
        }
    }

    private mutating func skipSpace() {
        while position < text.count, text[position].isJSONSpace {
            if text[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    /// Skips up to and with `mark`; returns what was before it.
    private mutating func skip(to mark: String, _ isWhole: Bool) throws(FormatError) -> ArraySlice<UInt8> {
        let start = position
        let mark = Array(mark.utf8)
        while position < text.count {
            if text[position...].starts(with: mark) {
                position += mark.count
                return text[start..<(position - mark.count)]
            }
            if text[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        throw end(isWhole)
    }

    private mutating func skipDocumentType(_ isWhole: Bool) throws(FormatError) {
        var quote: UInt8?
        while position < text.count {
            let byte = text[position]
            position += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["):
                throw FormatError(
                    .malformed,
                    "the document type declares entities or elements of its own; such a document is not read",
                    line: line)
            case UInt8(ascii: ">"): return
            default: break
            }
        }
        throw end(isWhole)
    }

    private func end(_ isWhole: Bool) -> FormatError {
        isWhole
            ? FormatError(.malformed, "the XML document ends before its first element", line: line)
            : FormatError(.tooLarge, "the first element is not within the first \(Self.limit >> 10) KiB", line: line)
    }

    /// Lets through the encodings in which markup is written in ASCII, and UTF-16, which is told by its first bytes.
    private static func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(FormatError) {
        guard let text = statedEncoding(declaration) else { return }
        let name = text.lowercased()
        let families = [
            "utf-8", "utf8", "utf-16", "us-ascii", "ascii", "iso-8859-", "iso8859-", "latin1", "windows-125", "cp125",
            "koi8-", "gb2312", "gbk", "gb18030", "big5", "shift_jis", "euc-",
        ]
        guard families.contains(where: name.hasPrefix) else {
            throw FormatError(
                .notUTF8, "text in the encoding \"\(text.prefix(80))\" cannot be read; convert the file to UTF-8 first",
                line: 1)
        }
    }

    /// What is quoted behind `encoding` in a declaration.
    private static func statedEncoding(_ declaration: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: declaration, as: UTF8.self)
        guard let range = text.firstRange(of: "encoding") else { return nil }
        let value = text[range.upperBound...].drop { $0 == "=" || $0.isWhitespace }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }
}
