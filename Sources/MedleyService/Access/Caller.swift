/// Who makes a request, and what they may do.
struct Caller: Sendable {
    /// How they showed who they are.
    enum Credential: Hashable, Sendable {
        /// Not at all.
        case none
        /// By a token.
        case token(StoredToken)
        /// By the session that one was exchanged for.
        case session(key: [UInt8], ends: Double)
    }

    /// What they may do; `nil` for nothing.
    let grant: Grant?
    let credential: Credential
    /// Whose idempotency keys are theirs: the token's id, empty for all who have none.
    let keyOwner: String
    /// Since when, in the generations of the access control, this is known.
    let generation: UInt64

    var isAnonymous: Bool { credential == .none }

    /// The name of the token that they showed, or of that of their session.
    var tokenName: String? { isAnonymous ? nil : grant?.name }

    /// Whether they may read a collection: for those who may not, there is none of that name.
    func mayRead(_ collection: String) -> Bool { grant?.covers(collection) ?? false }

    /// Whether they may do something with a collection.
    func may(_ right: Right, _ collection: String) -> Bool {
        grant.map { $0.right >= right && $0.covers(collection) } ?? false
    }
}
