import MedleyJSON

/// What a playlist says of where a medium lies: a URL, or a path that means something on one machine only.
enum MediaLocation: Hashable {
    /// An absolute URL that the member `url` may have.
    case url([UInt8])
    /// A relative path, a Windows path, or something else that is no URL.
    case path([UInt8])

    /// Schemes of URLs that have no `//` behind the colon; a file's name may have a colon too.
    private static let opaqueSchemes = ["data", "deezer", "file", "magnet", "spotify", "tidal", "urn"]

    /// Tells which it is. An absolute POSIX path becomes a `file` URL; white space in a URL, which browsers and players
    /// put up with, is percent-encoded.
    init(_ text: [UInt8]) {
        self = Self.url(of: text).map { .url($0) } ?? .path(text)
    }

    /// The member that the location belongs in.
    var member: String {
        switch self {
        case .url: "url"
        case .path: "path"
        }
    }

    /// The text.
    var text: [UInt8] {
        switch self {
        case .url(let text), .path(let text): text
        }
    }

    /// A path as a reference that a URI may be (RFC 3986): percent-encoded, with `/` for `\`, and a `file` URL if it is
    /// absolute.
    static func reference(toPath path: [UInt8]) -> [UInt8] {
        if isWindowsPath(path) {
            let forward = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
            if forward.starts(with: "//".utf8) { return Array("file:".utf8) + encoded(forward, keeping: "/") }
            return Array("file:///".utf8) + encoded(forward, keeping: "/:")
        }
        return url(of: path) ?? encoded(path, keeping: "/")
    }

    /// The last step of the path without its extension, for a medium that has no other title; `nil` if that does not
    /// look like a file's name.
    var fileTitle: [UInt8]? {
        var rest = text[...]
        if case .url = self {
            rest = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            guard let scheme = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let path = rest[(scheme + 1)...]
            guard path.starts(with: "//".utf8), path.dropFirst(2).contains(UInt8(ascii: "/")) else { return nil }
        }
        let isWindows = Self.isWindowsPath(text) || !rest.contains(UInt8(ascii: "/"))
        let last =
            rest.lastIndex { $0 == UInt8(ascii: "/") || isWindows && $0 == UInt8(ascii: "\\") }.map {
                rest[($0 + 1)...]
            }
            ?? rest
        guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex else { return nil }
        let suffix = last[(dot + 1)...]
        guard (1...5).contains(suffix.count), suffix.allSatisfy({ $0.isDigit || $0.isLetter }) else { return nil }
        var title = Array(last[..<dot])
        if case .url = self {
            let decoded = Self.decoded(title)
            if decoded.isUTF8 { title = decoded }
        }
        title = title.trimmed
        return title.isEmpty ? nil : title
    }

    private static func url(of text: [UInt8]) -> [UInt8]? {
        guard !isWindowsPath(text) else { return nil }
        let candidate: [UInt8]
        if text.first == UInt8(ascii: "/") {
            guard text.count > 1, text[1] != UInt8(ascii: "/") else { return nil }
            candidate = Array("file://".utf8) + encoded(text, keeping: "/")
        } else {
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 1 else { return nil }
            let scheme = String(decoding: text[..<colon], as: UTF8.self).lowercased()
            guard text[(colon + 1)...].starts(with: "//".utf8) || opaqueSchemes.contains(scheme) else { return nil }
            candidate = escaped(text) { $0 <= 0x20 || $0 == 0x7F }
        }
        return KnownMember.url.accepts(candidate.jsonString[...]) ? candidate : nil
    }

    /// Whether the text begins as a path with a drive or a share does.
    private static func isWindowsPath(_ text: [UInt8]) -> Bool {
        if text.starts(with: "\\\\".utf8) { return true }
        return text.count > 2 && text[0].isLetter && text[1] == UInt8(ascii: ":")
            && (text[2] == UInt8(ascii: "\\") || text[2] == UInt8(ascii: "/"))
    }

    private static func encoded(_ text: [UInt8], keeping kept: String) -> [UInt8] {
        escaped(text) { !$0.isLetter && !$0.isDigit && !"-._~".utf8.contains($0) && !kept.utf8.contains($0) }
    }

    /// The text with some of its bytes percent-encoded.
    private static func escaped(_ text: [UInt8], where isForeign: (UInt8) -> Bool) -> [UInt8] {
        guard text.contains(where: isForeign) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.count + 16)
        for byte in text {
            if isForeign(byte) {
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                output.append(byte)
            }
        }
        return output
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let byte = UInt8(String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                output.append(byte)
                index += 3
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return output
    }
}
