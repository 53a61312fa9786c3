import HTTPCore

extension Service {
    /// The cookie that carries a session's secret.
    static let sessionCookie = "medley_session"
    /// The same over TLS: browsers take a cookie of such a name only with `Secure`, for the whole of one host.
    static let secureSessionCookie = "__Host-medley_session"

    /// Refuses what was sent under a name that is not this server's: 421.
    func checkHost(_ head: RequestHead) throws(Problem) {
        // Only HTTP/1.0 comes without, which no browser speaks.
        guard let names = configuration.hosts, let host = head.headers["Host"], !names.admit(host) else { return }
        throw ProblemCode.misdirectedRequest.problem(
            "This server is not asked under the name \"\(host)\"; `medley serve --host NAME` tells it a name.")
    }

    /// Who makes a request, if they may: 401, 403, 404 for a collection that they may not read, 400.
    ///
    /// - Parameter name: becomes the name of the token that was shown, whether they may or not.
    func caller(
        _ head: RequestHead, _ identity: Result<Caller, Problem>, _ operation: Operation, _ parameters: [String],
        by name: inout String?
    ) throws(Problem) -> Caller {
        let caller = try identity.get()
        if operation.need == .nothing { return caller }
        name = caller.tokenName
        if operation.isGuarded { try checkOrigin(head, caller, operation) }
        let right: Right
        switch operation.need {
        case .nothing, .identity: return caller
        case .some(let needed): right = needed
        case .all(let needed):
            right = needed
            if let grant = caller.grant, !grant.coversAll {
                throw ProblemCode.forbidden.problem("This needs a token for all collections (`*`).")
            }
        case .collection(let needed):
            right = needed
            if let grant = caller.grant, !grant.covers(parameters[0]) { throw Call.noCollection(parameters[0]) }
        }
        guard let grant = caller.grant, grant.right >= right else { throw lacking(right, caller) }
        return caller
    }

    /// Refuses a request whose caller is no longer who they were when it was admitted: its body may have taken long to come,
    /// or to be decoded. An atomic load as long as no token has changed.
    func requireStanding(of caller: Caller) throws(Problem) {
        var caller = caller
        guard configuration.access.isStanding(&caller) else { throw Standing.ended }
    }

    /// The problem of someone who shows nothing, or something that is not in force.
    static func unauthenticated(_ detail: String, isInvalid: Bool = false) -> Problem {
        ProblemCode.unauthenticated.problem(detail)
            .withHeader("WWW-Authenticate", "Bearer realm=\"medley\"" + (isInvalid ? ", error=\"invalid_token\"" : ""))
    }

    /// The problem of someone who may not do something: they can show who they are, or it is no use.
    private func lacking(_ right: Right, _ caller: Caller) -> Problem {
        if caller.isAnonymous, configuration.access.takesTokens {
            return Self.unauthenticated("This needs a token with the right \"\(right.rawValue)\".")
        }
        return Self.forbidden(right)
    }

    /// The problem of a right that is missing.
    static func forbidden(_ right: Right) -> Problem {
        ProblemCode.forbidden.problem("This needs the right \"\(right.rawValue)\".")
    }

    /// Who makes a request, by what it shows.
    func identity(_ head: RequestHead) -> Result<Caller, Problem> {
        do throws(Problem) { return .success(try shown(head)) } catch { return .failure(error) }
    }

    private func shown(_ head: RequestHead) throws(Problem) -> Caller {
        let access = configuration.access
        guard access.takesTokens else { return access.nobody }
        let fields = head.headers.values("Authorization")
        guard fields.count <= 1 else { throw ProblemCode.malformedRequest.problem("Authorization stands twice.") }
        if let token = fields.first.flatMap(Self.bearer) {
            guard let caller = access.caller(token: token) else {
                throw Self.unauthenticated("The token is not one that is in force.", isInvalid: true)
            }
            return caller
        }
        // A browser goes on sending a cookie whose session has ended: that is as good as none.
        return Self.session(head).flatMap { access.caller(session: $0) } ?? access.nobody
    }

    /// The token of an `Authorization` field (RFC 6750, 2.1); `nil` if it is of another scheme.
    private static func bearer(_ field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.first?.lowercased() == "bearer" else { return nil }
        return parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
    }

    /// The secret of the session that a browser's cookie carries. A proxy may speak TLS on one address of the server and not
    /// on another, so both names count; first the one that nobody can have put in from a plain connection.
    static func session(_ head: RequestHead) -> String? {
        cookie(secureSessionCookie, head) ?? cookie(sessionCookie, head)
    }

    private static func cookie(_ name: String, _ head: RequestHead) -> String? {
        for field in head.headers.values("Cookie") {
            for pair in field.split(separator: ";") {
                let sides = pair.drop { $0 == " " }.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if sides.count == 2, sides[0] == name { return String(sides[1]) }
            }
        }
        return nil
    }

    /// Refuses an edit that a page of another origin has a browser send: 403. A token is never sent by a browser of
    /// itself; a cookie is, and so is nothing at all.
    private func checkOrigin(_ head: RequestHead, _ caller: Caller, _ operation: Operation) throws(Problem) {
        let origin = RequestOrigin(head)
        switch caller.credential {
        case .token:
            // A page that signs its visitor in must be this server's own.
            guard case .session = operation.action, case .foreign = origin else { return }
        case .session:
            if origin == .own { return }
        case .none:
            guard case .foreign(let name) = origin else { return }
            if CrossOrigin(configuration.origins).admits(name) { return }
        }
        let name = if case .foreign(let name?) = origin { " of \(name)" } else { "" }
        throw ProblemCode.forbidden.problem(
            "A page\(name) may not do this; `--cors-origin` allows edits without a token.")
    }
}
