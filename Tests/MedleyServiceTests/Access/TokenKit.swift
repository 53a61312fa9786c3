import Glibc
import MedleyService
import Synchronization
import Testing

/// Tokens of some names, and the control that they are in force with.
final class TokenKit: Sendable {
    let access: AccessControl
    private let texts: [String: String]
    private let stored: Mutex<[StoredToken]>

    init(
        _ grants: [(name: String, right: Right, collections: String)], anonymous: Right? = nil,
        clock: ManualClock = ManualClock()
    ) throws {
        var texts: [String: String] = [:]
        var stored: [StoredToken] = []
        for (name, right, collections) in grants {
            let patterns = try #require(Grant.patterns(collections))
            let issued = StoredToken.issue(Grant(name: name, right: right, collections: patterns))
            texts[name] = issued.text
            stored.append(issued.stored)
        }
        self.texts = texts
        self.stored = Mutex(stored)
        access = AccessControl(anonymous: anonymous, tokens: try Self.file(stored), now: { clock.time })
    }

    /// One token for all collections.
    convenience init(_ right: Right, anonymous: Right? = nil) throws {
        try self.init([("token", right, "*")], anonymous: anonymous)
    }

    /// The header field that shows a token.
    func shows(_ name: String = "token") -> [(String, String)] {
        [("Authorization", "Bearer \(texts[name] ?? "none of this name")")]
    }

    /// Takes a token out of the file.
    func withdraw(_ name: String = "token") throws {
        try change { $0.filter { $0.grant.name != name } }
    }

    /// Has the file read again with what it says.
    func change(_ change: ([StoredToken]) throws -> [StoredToken]) throws {
        let tokens = try change(stored.withLock { $0 })
        stored.withLock { $0 = tokens }
        access.replace(try Self.file(tokens))
    }

    private static func file(_ tokens: [StoredToken]) throws -> TokenFile {
        try TokenFile(parsing: Array(tokens.map(TokenFile.line).joined().utf8))
    }
}

/// Waits for what a server's own threads bring about. The thread is not given to other tests meanwhile: with many of them it
/// would come back only after the server's time to wait is over.
func until(_ condition: () -> Bool) { while !condition() { sched_yield() } }
