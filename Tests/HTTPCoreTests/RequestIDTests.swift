import HTTPCore
import Testing

@Suite struct RequestIDTests {
    /// What a parser takes of these header fields.
    private static func taken(_ fields: [UInt8]) -> String? {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + fields + Array("\r\n".utf8)
        var parser = RequestParser()
        var position = 0
        guard case .head(let head) = parser.next(bytes.span, at: &position) else { return nil }
        return head.requestID?.description
    }

    @Test(arguments: [
        "a", "7c9e6679-7425-40de-944b-e07fc1f90afe", "Root=1-67891233-abcdef012345678912345678", "a.b_c~d+e/f=g:h-i",
        "c2FuZQ==", String(repeating: "z", count: 128),
    ])
    func whatIsSaneIsTaken(_ id: String) {
        #expect(Self.taken(Array("X-Request-Id: \(id)\r\n".utf8)) == id)
        #expect(Self.taken(Array("x-REQUEST-id:\t \(id) \t\r\n".utf8)) == id)
    }

    @Test(arguments: [
        "", "X-Request-Id:\r\n", "X-Request-Id: a b\r\n", "X-Request-Id: a\tb\r\n", "X-Request-Id: a,b\r\n",
        "X-Request-Id: \"a\"\r\n", "X-Request-Id: a%0d%0ab\r\n", "X-Request-Id: a\\nb\r\n", "X-Request-Id: a;b\r\n",
        "X-Request-Id: é\r\n", "X-Request-Id: ${jndi}\r\n", "X-Request-Id: <script>\r\n", "X-Request-Id: {}\r\n",
        "X-Request-Id: a\r\nX-Request-Id: a\r\n", "X-Request-Id: a\r\nHost2: b\r\nx-request-ID: b\r\n",
        "X-Request-Id: a\r\nX-Request-Id:\r\n", "X-Request-Id: \(String(repeating: "z", count: 129))\r\n",
        "X-Request-Ids: a\r\n", "X_Request_Id: a\r\n",
    ])
    func whatIsNotIsAsIfItWereNotSent(_ fields: String) {
        #expect(Self.taken(Array(fields.utf8)) == nil)
    }

    @Test func aByteIsTakenOrNot() {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~+/=:-".utf8)
        for byte in UInt8.min...UInt8.max {
            let taken = Self.taken(Array("X-Request-Id: a".utf8) + [byte] + Array("b\r\n".utf8))
            #expect((taken != nil) == allowed.contains(byte), "\(byte)")
        }
    }

    @Test func thoseThatAreMadeAreSixteenDistinctCharacters() {
        var ids = RequestIDs()
        var seen = Set<String>()
        var characters = Set<Character>()
        for _ in 0..<20_000 {
            let text = ids.next().description
            #expect(text.utf8.count == 16)
            #expect(RequestID(text)?.description == text)
            characters.formUnion(text)
            seen.insert(text)
        }
        #expect(seen.count == 20_000)
        #expect(characters == Set("0123456789abcdefghijklmnopqrstuv"))
    }

    @Test func seedsLeadToOtherIDs() {
        var (one, same, other) = (RequestIDs(seed: 1), RequestIDs(seed: 1), RequestIDs(seed: 2))
        let first = one.next()
        #expect(first == same.next())
        #expect(first != other.next())
        var (left, right) = (RequestIDs(), RequestIDs())
        #expect(left.next() != right.next())
    }
}
