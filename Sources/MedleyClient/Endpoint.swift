import Foundation
import MedleyJSON

/// Sends requests by a transport, again where that makes sense, and reads the answers.
struct Endpoint: Sendable {
    let transport: ClientTransport
    let retries: RetryPolicy
    /// What is shown with every request; each goes to the server that it was given for.
    let token: AccessToken?

    init(transport: ClientTransport, retries: RetryPolicy, token: AccessToken?) {
        self.transport = transport
        self.retries = retries
        self.token = token
    }

    /// Sends a request once, with the token if there is one.
    func transmit(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
        var request = request
        if let token { request.headers["Authorization"] = token.authorization }
        return try await transport.send(request)
    }

    /// An answer, and whether an earlier try may have been carried out too.
    struct Outcome {
        let response: ClientResponse
        let mayHaveRunBefore: Bool
    }

    /// Sends a read: again while the server has no time, but not if there is none, since a reader can ask again.
    func read(_ url: String) async throws(ClientError) -> ClientResponse {
        let request = ClientRequest(method: "GET", url: url, headers: ["Accept": "application/json"])
        return try await send(request, retriesUnreachable: false).response
    }

    /// Sends an edit under a key, again under the same one while the answer is lost or the server has no time.
    ///
    /// What it throws after the last try carries the key, if the edit has a body and so can be repeated under it.
    func edit(
        _ method: String, _ url: String, body: [UInt8]?, headers: [String: String], key: String?
    ) async throws(ClientError) -> Outcome {
        var headers = headers
        headers["Accept"] = "application/json"
        let key = key ?? UUID().uuidString
        headers["Idempotency-Key"] = key
        if body != nil { headers["Content-Type"] = "application/json" }
        let request = ClientRequest(method: method, url: url, headers: headers, body: body)
        do throws(ClientError) {
            let outcome = try await send(request, retriesUnreachable: true)
            if Self.isPassing(outcome.response) { throw Self.error(for: outcome.response, from: url) }
            return outcome
        } catch {
            throw ClientError(
                error.code, error.message, problem: error.problem, cause: error.cause,
                idempotencyKey: body == nil ? nil : key)
        }
    }

    private func send(_ request: ClientRequest, retriesUnreachable: Bool) async throws(ClientError) -> Outcome {
        var failures = 0
        var mayHaveRunBefore = false
        while true {
            if Task.isCancelled { throw ClientError(.cancelled, "the request was cancelled") }
            let isLast = failures + 1 >= retries.tries
            let pause: Double
            do throws(ClientError) {
                let response = try await transmit(request)
                let asked = RetryAfter.seconds(response)
                guard Self.isPassing(response), !isLast, asked ?? 0 <= retries.longest else {
                    return Outcome(response: response, mayHaveRunBefore: mayHaveRunBefore)
                }
                // A proxy can answer 502 for a request that has reached the server.
                if ServerProblem(response) == nil { mayHaveRunBefore = true }
                pause = retries.pause(after: failures + 1, asked: asked)
            } catch {
                guard error.code == .unreachable, retriesUnreachable, !isLast else { throw error }
                mayHaveRunBefore = true
                pause = retries.pause(after: failures + 1, asked: nil)
            }
            failures += 1
            await retries.sleep(pause)
        }
    }

    /// Whether an answer says that the same request may well succeed in a while.
    static func isPassing(_ response: ClientResponse) -> Bool {
        [408, 429].contains(response.status) || response.status >= 500
            || ServerProblem(response)?.code == "key-in-use"
    }

    /// What the body of an answer says; `subject` is what was asked for.
    func decoded<Value>(
        _ response: ClientResponse, from subject: String, _ decode: ([UInt8]) throws(DecodingProblem) -> Value
    ) throws(ClientError) -> Value {
        guard response.status == 200 || response.status == 201 else { throw Self.error(for: response, from: subject) }
        do throws(DecodingProblem) {
            return try decode(response.body)
        } catch {
            throw ClientError(.notMedley, "\(subject) is no collection of a Medley server", cause: error.detail)
        }
    }

    /// The error that an answer other than a success means.
    static func error(for response: ClientResponse, from subject: String) -> ClientError {
        let problem = ServerProblem(response)
        // A proxy may ask for a token too, in words of its own.
        if isDenied(response) {
            let code: ClientError.Code = response.status == 401 ? .unauthenticated : .forbidden
            let message = problem?.summary ?? "\(subject) was refused"
            return ClientError(
                code, message, problem: problem, cause: problem == nil ? "HTTP status \(response.status)" : nil)
        }
        if let problem { return ClientError(.refused, problem.summary, problem: problem) }
        if (300..<400).contains(response.status), let target = response.headers["location"] {
            return ClientError(.redirected, "\(subject) is answered for by \(target); that is not gone to")
        }
        return ClientError(
            .notMedley, "\(subject) is no collection of a Medley server", cause: "HTTP status \(response.status)")
    }

    /// Whether an answer says that a token is missing, not in force, or not enough.
    static func isDenied(_ response: ClientResponse) -> Bool { [401, 403].contains(response.status) }
}
