import Digest

/// The file of tokens: one a line, its name, its right, its collections and `sha256:ID:SALT:HASH`, with blanks between
/// them. Empty lines, and what stands behind a `#` at a line's beginning, are passed over.
package struct TokenFile: Sendable {
    /// A mistake in a file. It tells nothing of what the line says but names.
    package struct Mistake: Error, Hashable, Sendable {
        /// The line, from 1; 0 if it is the file's as a whole.
        package let line: Int
        /// What is wrong, in a sentence.
        package let message: String
    }

    /// The tokens in the file's order.
    package let tokens: [StoredToken]

    /// The most bytes of a file.
    package static let mostBytes = 4 << 20
    /// The most tokens of a file.
    package static let mostTokens = 10_000

    /// What a new file begins with.
    package static let heading = """
        # Who may use this Medley server: name, right (read, write, admin), collections, salted hash of the token.
        # `medley token new NAME --right write --collections 'team-*' --file FILE` adds a line and prints the token.
        # A line that is taken out withdraws its token; the server reads the file again by itself.

        """

    /// Parses a file as a whole: one mistake and nothing of it counts. O(bytes).
    package init(parsing bytes: [UInt8]) throws(Mistake) {
        guard bytes.count <= Self.mostBytes else {
            throw Mistake(line: 0, message: "the file has more than \(Self.mostBytes) bytes")
        }
        var tokens: [StoredToken] = []
        var names = Set<String>()
        var ids = Set<String>()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, var line) in lines.enumerated() {
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let first = fields.first?.first, first != UInt8(ascii: "#") else { continue }
            let token: StoredToken
            do throws(LineMistake) {
                token = try Self.token(fields)
            } catch { throw Mistake(line: index + 1, message: error.message) }
            guard names.insert(token.grant.name).inserted else {
                throw Mistake(line: index + 1, message: "the name \(token.grant.name) stands twice")
            }
            guard ids.insert(token.id).inserted else {
                throw Mistake(line: index + 1, message: "the token of \(token.grant.name) stands twice")
            }
            guard tokens.count < Self.mostTokens else {
                throw Mistake(line: index + 1, message: "there are more than \(Self.mostTokens) tokens")
            }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// Whether a token may have this name: 1 to 64 letters, digits, points, underscores and hyphens.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && Call.isCollectionID(text)
    }

    /// A token's line with its end.
    package static func line(_ token: StoredToken) -> String {
        let grant = token.grant
        let patterns = grant.collections.map(\.description).joined(separator: ",")
        let hash = [algorithm, token.id, Hexadecimal.text(token.salt), Hexadecimal.text(token.digest)]
        return "\(grant.name) \(grant.right.rawValue) \(patterns) \(hash.joined(separator: ":"))\n"
    }

    private static let algorithm = "sha256"

    private struct LineMistake: Error {
        let message: String
    }

    private static func token(_ fields: [ArraySlice<UInt8>]) throws(LineMistake) -> StoredToken {
        let texts = fields.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count == 4 else {
            throw LineMistake(
                message: "a line has four parts: name, right, collections and sha256:…; this one has \(texts.count)")
        }
        guard isName(texts[0]) else {
            throw LineMistake(
                message: "a name is 1 to 64 letters, digits, points, underscores and hyphens, a letter or digit first")
        }
        guard let right = Right(rawValue: texts[1]) else {
            throw LineMistake(message: "the right of \(texts[0]) is none: it is read, write or admin")
        }
        guard let collections = Grant.patterns(texts[2]) else {
            throw LineMistake(
                message: "the collections of \(texts[0]) are ids with commas between them, at most "
                    + "\(Grant.mostPatterns); a star may stand at the end of each")
        }
        let parts = texts[3].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == algorithm, isID(parts[1]),
            let salt = Hexadecimal.bytes(parts[2]), salt.count == StoredToken.saltLength,
            let digest = Hexadecimal.bytes(parts[3]), digest.count == SHA256.byteCount
        else {
            throw LineMistake(
                message: "the hash of \(texts[0]) is not as `medley token new` writes it: sha256:ID:SALT:HASH")
        }
        let grant = Grant(name: texts[0], right: right, collections: collections)
        return StoredToken(grant: grant, id: parts[1], salt: salt, digest: digest)
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == StoredToken.idLength
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }
}
