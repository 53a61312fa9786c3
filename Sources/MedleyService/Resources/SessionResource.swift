import HTTPCore
import JSONText

/// `POST /v1/session` exchanges a token for a cookie, which a browser sends with an `EventSource` too, DELETE ends it, and
/// GET tells whose it is.
///
/// So that no token stands in an address, where it would end up in logs.
enum SessionResource {
    /// Who asks and what they may do, so that a page knows whom it shows what, and whether there is anything to sign in with.
    static func get(_ call: Call) throws(Problem) -> Response {
        var text = Array("{\"name\":".utf8)
        if let grant = call.caller.grant, !call.caller.isAnonymous {
            JSONWriter.append(string: grant.name, to: &text)
        } else {
            JSONWriter.append(token: "null", to: &text)
        }
        let takesTokens = call.service.configuration.access.takesTokens
        JSONWriter.append(token: ",\"takesTokens\":", to: &text)
        JSONWriter.append(token: takesTokens ? "true," : "false,", to: &text)
        ServiceResource.appendPermissions(of: call.caller, to: &text)
        JSONWriter.append(token: "}", to: &text)
        return call.answer(Document(text), cache: "no-store")
    }

    static func open(_ call: Call) throws(Problem) -> Response {
        guard let secret = call.service.configuration.access.openSession(call.caller) else {
            guard call.service.configuration.access.takesTokens else {
                throw ProblemCode.forbidden.problem("This server has no tokens: there is nothing to sign in with.")
            }
            throw Service.unauthenticated("A session is opened with a token, as Authorization: Bearer.")
        }
        var text = Array("{\"expiresIn\":".utf8)
        JSONWriter.append(integer: Int(SessionTable.seconds), to: &text)
        JSONWriter.append(token: ",", to: &text)
        ServiceResource.appendPermissions(of: call.caller, to: &text)
        JSONWriter.append(token: "}", to: &text)
        var response = call.answer(Document(text), cache: "no-store")
        response.headers.add("Set-Cookie", cookie(secret, seconds: Int(SessionTable.seconds), call.request.head))
        return response
    }

    static func close(_ call: Call) throws(Problem) -> Response {
        if let secret = Service.session(call.request.head) { call.service.configuration.access.closeSession(secret) }
        var headers = HeaderFields()
        headers.add("Cache-Control", "no-store")
        headers.add("Set-Cookie", cookie("", seconds: 0, call.request.head))
        return Response(status: 204, headers: headers)
    }

    /// The cookie; over TLS it never goes out without, and has the name that only such an answer can set. Whether it is TLS for the browser, with a proxy between that is not
    /// trusted, the browser itself says best.
    private static func cookie(_ secret: String, seconds: Int, _ head: RequestHead) -> String {
        let isSecure = RequestOrigin.isSecure(head)
        return (isSecure ? Service.secureSessionCookie : Service.sessionCookie)
            + "=\(secret); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)" + (isSecure ? "; Secure" : "")
    }
}
