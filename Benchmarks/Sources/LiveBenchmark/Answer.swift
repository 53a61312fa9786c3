/// The head of an HTTP response and what has come of its body.
struct Answer {
    let status: Int
    let byteCount: Int
    let body: Substring.UTF8View
    private let lines: [Substring]

    /// Reads a response with a length; `nil` if its head is not whole.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: "\r\n\r\n".utf8) }) else { return nil }
        let split = text.utf8.index(text.startIndex, offsetBy: end)
        lines = text[..<split].split(separator: "\r\n")
        body = text[text.utf8.index(split, offsetBy: 4)...].utf8
        guard let line = lines.first, let status = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        self.status = status
        let length = Self.field("content-length", lines).flatMap { Int($0) } ?? 0
        byteCount = end + 4 + length
    }

    subscript(name: String) -> String? { Self.field(name.lowercased(), lines) }

    private static func field(_ name: String, _ lines: [Substring]) -> String? {
        lines.first { $0.lowercased().hasPrefix(name + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
}
