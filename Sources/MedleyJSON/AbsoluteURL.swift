/// The form of an absolute URL, as far as it is checked.
enum AbsoluteURL {
    /// Whether bytes, valid UTF-8, are a scheme (RFC 3986, section 3.1), a colon and something behind it, without
    /// white space and control characters; for `http` and `https` with a host (RFC 9110, section 4.2). Characters
    /// beyond ASCII are accepted, as browsers do.
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = bytes[..<colon].map { isLetter($0) ? $0 | 0x20 : $0 }
        let rest = bytes[(colon + 1)...]
        guard let first = scheme.first, isLetter(first), scheme.allSatisfy(isSchemeByte), !rest.isEmpty else {
            return false
        }
        if rest.contains(where: { $0 <= 0x20 || $0 == 0x7F }) || ControlCharacter.isContained(in: rest) { return false }
        if scheme == Array("http".utf8) || scheme == Array("https".utf8) {
            guard rest.starts(with: "//".utf8), let host = rest.dropFirst(2).first else { return false }
            return !"/?#:@".utf8.contains(host)
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }
}
