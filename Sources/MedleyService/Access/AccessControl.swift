import Digest
import Synchronization

/// Who may do what: the tokens in force, the sessions that stand for some of them, and what needs neither. Thread-safe.
package final class AccessControl: Sendable {
    private struct State {
        var tokens: [String: StoredToken] = [:]
        var sessions = SessionTable()
    }

    private let state: Mutex<State>
    /// Counts the times that someone's rights may have become less.
    private let generation = Atomic<UInt64>(0)
    private let anonymous: Grant?
    private let now: @Sendable () -> Double
    /// Whether there are tokens at all; without them an `Authorization` is somebody else's.
    let takesTokens: Bool

    /// Everyone may do everything.
    package static let open = AccessControl(anonymous: .admin, now: { 0 })

    /// Creates a control.
    ///
    /// - Parameters:
    ///   - anonymous: what those may do who show nothing, with all collections; `nil` for nothing.
    ///   - tokens: the tokens in force; `nil` if there are to be none.
    ///   - now: a clock that never goes back, in seconds.
    package init(anonymous: Right?, tokens: TokenFile? = nil, now: @escaping @Sendable () -> Double) {
        self.anonymous = anonymous.map { Grant(name: "", right: $0, collections: [.all]) }
        self.now = now
        takesTokens = tokens != nil
        state = Mutex(State(tokens: Self.byID(tokens)))
    }

    /// Puts other tokens in force. What is held for someone whose token is no longer the same ends.
    package func replace(_ tokens: TokenFile) {
        let byID = Self.byID(tokens)
        state.withLock { state in
            state.tokens = byID
            state.sessions.keep { byID[$0.id] == $0 }
        }
        generation.add(1, ordering: .releasing)
    }

    private static func byID(_ file: TokenFile?) -> [String: StoredToken] {
        Dictionary((file?.tokens ?? []).map { ($0.id, $0) }) { first, _ in first }
    }

    // MARK: Who calls

    /// Whoever shows nothing.
    var nobody: Caller {
        Caller(grant: anonymous, credential: .none, keyOwner: "", generation: 0)
    }

    /// Whoever shows a token; `nil` if it is none that is in force.
    func caller(token text: String) -> Caller? {
        let generation = generation.load(ordering: .acquiring)
        guard let id = StoredToken.id(of: text), let token = state.withLock({ $0.tokens[id] }), token.isToken(text)
        else { return nil }
        return Caller(grant: token.grant, credential: .token(token), keyOwner: id, generation: generation)
    }

    /// Whoever shows a session's secret; `nil` if it has ended.
    func caller(session secret: String) -> Caller? { caller(sessionKey: Self.key(secret)) }

    /// Whether a token is one that is in force.
    package func isInForce(_ text: String) -> Bool { caller(token: text) != nil }

    private func caller(sessionKey key: [UInt8]) -> Caller? {
        let generation = generation.load(ordering: .acquiring)
        let now = now()
        guard let session = state.withLock({ $0.sessions.find(key, now: now) }) else { return nil }
        return Caller(
            grant: session.token.grant, credential: .session(key: key, ends: session.ends),
            keyOwner: session.token.id, generation: generation)
    }

    /// A caller whose request lasts, as it is now; `nil` if what it showed is no longer in force or grants something
    /// else. An atomic load as long as nothing has changed.
    func isStanding(_ caller: inout Caller) -> Bool {
        if case .none = caller.credential { return true }
        let generation = generation.load(ordering: .acquiring)
        if case .session(_, let ends) = caller.credential, ends <= now() { return false }
        if caller.generation == generation { return true }
        switch caller.credential {
        case .none: return true
        case .token(let token):
            guard state.withLock({ $0.tokens[token.id] }) == token else { return false }
            caller = Caller(
                grant: token.grant, credential: caller.credential, keyOwner: caller.keyOwner, generation: generation)
            return true
        case .session(let key, _):
            guard let again = self.caller(sessionKey: key) else { return false }
            caller = again
            return true
        }
    }

    // MARK: Sessions

    /// Exchanges a caller's token for a session's secret; `nil` if it has none or it is no longer in force. A session that
    /// has to go for it ends, and what is held for it.
    func openSession(_ caller: Caller) -> String? {
        guard case .token(let token) = caller.credential else { return nil }
        let secret = RandomText.secret()
        let now = now()
        let endsAnother = state.withLock { state -> Bool? in
            guard state.tokens[token.id] == token else { return nil }
            return state.sessions.add(Self.key(secret), of: token, now: now)
        }
        guard let endsAnother else { return nil }
        if endsAnother { generation.add(1, ordering: .releasing) }
        return secret
    }

    /// Ends a session, and what is held for it.
    func closeSession(_ secret: String) {
        let key = Self.key(secret)
        if state.withLock({ $0.sessions.remove(key) }) { generation.add(1, ordering: .releasing) }
    }

    /// The number of sessions, ended ones among them that nobody has looked at.
    var sessionCount: Int { state.withLock { $0.sessions.count } }

    private static func key(_ secret: String) -> [UInt8] { SHA256.digest(Array(secret.utf8)) }
}
