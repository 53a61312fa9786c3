/// Texts that nobody can guess, from the system's generator.
enum RandomText {
    private static let small = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let all = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// The length of a secret: 62 letters and digits to the power of 43 are more than 2²⁵⁶.
    static let secretLength = 43

    /// 256 bits as letters and digits.
    static func secret() -> String { text(of: all, secretLength) }

    /// So many small letters and digits.
    static func name(_ length: Int) -> String { text(of: small, length) }

    /// So many bytes.
    static func bytes(_ count: Int) -> [UInt8] {
        var system = SystemRandomNumberGenerator()
        return (0..<count).map { _ in .random(in: 0...255, using: &system) }
    }

    private static func text(of characters: [UInt8], _ length: Int) -> String {
        var system = SystemRandomNumberGenerator()
        let bytes = (0..<length).map { _ in characters[Int.random(in: 0..<characters.count, using: &system)] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
