import HTTPCore
import Testing

@Suite struct LivePieceTests {
    @Test(arguments: [1, 9, 10, 15, 16, 255, 256, 100_000])
    func holdsAChunk(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let piece = LivePiece(bytes)
        #expect(piece.count == count && piece.bytes == bytes)
        #expect(piece.chunk == Array((String(count, radix: 16) + "\r\n").utf8) + bytes + [13, 10])
    }

    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1"), ("203.0.113.254:65535", "203.0.113.254"), ("[::1]:8080", "::1"),
        ("[2001:db8::1]:1", "2001:db8::1"), ("[::ffff:192.0.2.1]:443", "192.0.2.1"), ("[::ffff:0:1]:443", "::ffff:0:1"),
        ("", ""),
    ])
    func tellsTheClientsAddress(_ peer: String, _ address: String) {
        #expect(RequestHead(method: "GET", path: "/", peer: peer).clientAddress == address)
    }
}
