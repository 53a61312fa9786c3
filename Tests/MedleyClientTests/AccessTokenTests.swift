import MedleyClient
import MedleyCore
import Testing

/// What a client does with a token, and what becomes of one that is refused.
@Suite struct AccessTokenTests {
    private static let text = "medley_aaaaaaaaaaaa_secret"

    private func collection(_ server: ScriptedServer) throws -> CollectionClient {
        let token: AccessToken = try #require(AccessToken(Self.text))
        return try CollectionClient(
            url: CollectionURL("http://h/v1/collections/mix"), token: token,
            transport: server.transport, retries: server.retries)
    }

    @Test(arguments: ["a", "medley_x_Y9", "aZ09-._~+/=", " \r\n\ta\n", String(repeating: "a", count: 4_096)])
    func whatATokenCanBeIsTaken(text: String) { #expect(AccessToken(text) != nil) }

    @Test(arguments: ["", " \n", "a b", "a\nb", "a\r\nX-Y: z", "é", "a\u{0}", String(repeating: "a", count: 4_097)])
    func whatNoneCanBeIsNot(text: String) { #expect(AccessToken(text) == nil) }

    @Test func noTextShowsIt() throws {
        let token: AccessToken = try #require(AccessToken(Self.text))
        var dumped = ""
        dump(try collection(ScriptedServer([])), to: &dumped)
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] { #expect(!text.contains("secret"), "\(text)") }
    }

    @Test func everyRequestCarriesIt() async throws {
        let server = ScriptedServer([
            .answers(.everything), .answers(.xGoes), .isLost, .answers(.changes("a-2", "a-2", "[]")),
            .answers(.problem(503, "overloaded")), .answers(.changes("a-2", "a-2", "[]")), .answers(.notFound),
            .answers(.notFound),
        ])
        let collection = try collection(server)
        var events = collection.events().makeAsyncIterator()
        for _ in 0..<5 { _ = try await events.next() }
        try await collection.like(["y"])
        #expect(try await collection.outline() == nil)
        #expect(try await collection.snapshot() == nil)
        #expect(server.requests.count == 8)
        for request in server.requests { #expect(request.headers["Authorization"] == "Bearer \(Self.text)") }
        for request in server.requests { #expect(!request.url.contains("secret")) }
    }

    @Test func withoutOneNothingIsShown() async throws {
        let server = ScriptedServer([.answers(.notFound)])
        #expect(try await server.collection.snapshot() == nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil])
    }

    @Test func aTokenThatIsWithdrawnEndsTheSequence() async throws {
        let denied = ClientResponse.problem(401, "unauthenticated")
        let server = ScriptedServer([.answers(.everything), .answers(denied), .answers(denied)])
        var events = try collection(server).events().makeAsyncIterator()
        for _ in 0..<2 { _ = try await events.next() }
        let error = await #expect(throws: ClientError.self) { _ = try await events.next() }
        #expect(error?.code == .unauthenticated && error?.problem?.code == "unauthenticated")
        #expect(try await events.next() == nil)
        // The held poll, and one that is answered at once.
        #expect(server.requests.count == 3 && server.requests.last?.hold == 0)
        #expect(server.pauses.isEmpty)
    }

    @Test func aTokenThatGrantsSomethingElseGoesOn() async throws {
        let server = ScriptedServer([
            .answers(.everything), .answers(.problem(401, "unauthenticated")), .answers(.changes("a-1", "a-1", "[]")),
            .answers(.xGoes),
        ])
        var events = try collection(server).events().makeAsyncIterator()
        for _ in 0..<2 { _ = try await events.next() }
        #expect(try await events.next()?.brief == "updated 1 a-1 x y → a-2 y")
        #expect(server.requests.map { $0.hold ?? -1 } == [0, 25, 0, 25])
    }

    @Test func whatATokenDoesNotAllowEndsTheSequenceAtOnce() async throws {
        let server = ScriptedServer([.answers(.everything), .answers(.problem(403, "forbidden"))])
        var events = try collection(server).events().makeAsyncIterator()
        for _ in 0..<2 { _ = try await events.next() }
        let error = await #expect(throws: ClientError.self) { _ = try await events.next() }
        #expect(error?.code == .forbidden)
        #expect(server.requests.count == 2 && server.pauses.isEmpty)
    }

    @Test(arguments: [(401, .unauthenticated), (403, .forbidden)] as [(Int, ClientError.Code)])
    func anEditThatIsDeniedIsNotSentAgain(status: Int, code: ClientError.Code) async throws {
        let server = ScriptedServer([.answers(.problem(status, "unauthenticated"))])
        let error = await #expect(throws: ClientError.self) { try await collection(server).like(["x"]) }
        #expect(error?.code == code && server.requests.count == 1)
    }

    @Test func aRedirectionIsToldAndNotFollowed() async throws {
        let server = ScriptedServer([
            .answers(ClientResponse(status: 307, headers: ["location": "https://other.example/"]))
        ])
        let error = await #expect(throws: ClientError.self) { try await collection(server).snapshot() }
        #expect(error?.code == .redirected && error?.message.contains("https://other.example/") == true)
        #expect(server.requests.count == 1)
    }
}
