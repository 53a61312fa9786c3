import Digest

/// A token as it is kept: what it grants, and a salted hash by which it is known when it comes.
///
/// A token is `medley_`, an id of 12 characters by which it is looked up, `_` and a secret of 256 bits. Such a secret
/// cannot be guessed however fast guesses are tried, so the hash need not be a slow one, as a password's must.
package struct StoredToken: Hashable, Sendable {
    /// What it grants.
    package let grant: Grant
    /// The part of the token that tells which one it is; no secret.
    package let id: String
    /// What goes into the hash before the token.
    let salt: [UInt8]
    /// SHA-256 of the salt and the whole token.
    let digest: [UInt8]

    static let prefix = "medley_"
    static let idLength = 12
    static let saltLength = 16

    /// Makes a new token: its text, which is kept nowhere, and what is.
    package static func issue(_ grant: Grant) -> (text: String, stored: StoredToken) {
        let id = RandomText.name(idLength)
        let text = "\(prefix)\(id)_\(RandomText.secret())"
        let salt = RandomText.bytes(saltLength)
        return (text, StoredToken(grant: grant, id: id, salt: salt, digest: digest(salt, text)))
    }

    /// The id in a token that came; `nil` if it has not the form of one.
    static func id(of text: String) -> String? {
        let bytes = Array(text.utf8)
        let idEnd = prefix.utf8.count + idLength
        guard bytes.count == idEnd + 1 + RandomText.secretLength, bytes.starts(with: prefix.utf8),
            bytes[idEnd] == UInt8(ascii: "_")
        else { return nil }
        return String(decoding: bytes[prefix.utf8.count..<idEnd], as: UTF8.self)
    }

    /// Whether a token that came is this one, in a time that does not tell how much of it is right.
    func isToken(_ text: String) -> Bool { SHA256.areEqual(Self.digest(salt, text), digest) }

    private static func digest(_ salt: [UInt8], _ text: String) -> [UInt8] {
        SHA256.digest(salt + Array(text.utf8))
    }
}
