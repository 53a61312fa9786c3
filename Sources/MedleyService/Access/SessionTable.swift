/// Sessions that tokens were exchanged for; in memory only, found by a hash, so that what is compared is no secret.
struct SessionTable: Sendable {
    struct Session: Sendable {
        /// The token that it stands for.
        let token: StoredToken
        /// When it ends, in seconds.
        let ends: Double
    }

    /// How long a session lasts, in seconds: a working day.
    static let seconds: Double = 8 * 60 * 60
    /// The most sessions of one token; one more ends the oldest.
    static let mostOfToken = 64

    private var sessions: [[UInt8]: Session] = [:]
    /// The sessions of each token by its id, oldest first.
    private var keys: [String: [[UInt8]]] = [:]

    /// The session of a key, unless it has ended.
    func find(_ key: [UInt8], now: Double) -> Session? {
        sessions[key].flatMap { $0.ends > now ? $0 : nil }
    }

    /// Adds a session; says whether another that had not ended by itself had to go for it.
    mutating func add(_ key: [UInt8], of token: StoredToken, now: Double) -> Bool {
        var own = (keys[token.id] ?? []).filter { find($0, now: now) != nil }
        let surplus = max(0, own.count - Self.mostOfToken + 1)
        own.removeFirst(surplus)
        for old in keys[token.id] ?? [] where !own.contains(old) { sessions[old] = nil }
        sessions[key] = Session(token: token, ends: now + Self.seconds)
        keys[token.id] = own + [key]
        return surplus > 0
    }

    /// Ends a session; says whether there was one.
    @discardableResult
    mutating func remove(_ key: [UInt8]) -> Bool {
        guard let session = sessions.removeValue(forKey: key) else { return false }
        keys[session.token.id]?.removeAll { $0 == key }
        return true
    }

    /// Ends the sessions of tokens that are no more.
    mutating func keep(_ isToken: (StoredToken) -> Bool) {
        for (key, session) in sessions where !isToken(session.token) { remove(key) }
        keys = keys.filter { !$0.value.isEmpty }
    }

    var count: Int { sessions.count }
}
