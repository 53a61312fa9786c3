import Foundation
import Glibc
import Testing

extension Attack {
    /// TLS that is none, or that never comes to its end.
    static let handshakes = [
        Attack(name: "wrong TLS handshakes", speaksTLS: true) { server in
            for (name, bytes) in wrongHandshakes {
                let client = try server.connect()
                try client.send(bytes)
                client.endSending()
                let text = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
                // Whoever speaks plain HTTP is told so; others get an alert or nothing.
                #expect(!text.contains("HTTP/1.1 200"), "\(name): \(text)")
                if name == "plain HTTP" { #expect(text.hasPrefix("HTTP/1.1 400"), "\(text)") }
            }
        },
        Attack(name: "half a TLS handshake, a byte a second", speaksTLS: true) { server in
            let clients = try server.connections(server.isWhole ? 1_000 : 100)
            for client in clients { try client.send(Array(hello.prefix(40))) }
            var next = 40
            server.untilDeadlines {
                for client in clients { try? client.send([hello[next]]) }
                next += 1
            }
            if server.isWhole { try server.waitForConnections(...20) } else { try server.expectHolds(clients) }
        },
        Attack(name: "TLS handshakes again and again", speaksTLS: true) { server in
            try server.inThreads(2) { _ in
                for _ in 0..<(server.isWhole ? 2_000 : 20) { _ = try server.connectInOrder() }
            }
            try server.waitForConnections(...20)
        },
        Attack(name: "a byte a second over TLS", speaksTLS: true) { server in
            let clients = try (0..<(server.isWhole ? 200 : 20)).map { _ in try server.connectInOrder() }
            for client in clients { try client.send("GET /v1/collections/mix HTTP/1.1\r\nHost: localhost\r\nX: ") }
            server.untilDeadlines { for client in clients { try? client.send("a") } }
            // What TLS itself has to say may have come.
            try server.waitForConnections(server.isWhole ? 0...20 : clients.count...clients.count + 20)
        },
    ]

    /// A record with the head of a ClientHello of 512 bytes, and what could be its rest.
    private static let hello: [UInt8] =
        [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03] + [UInt8](repeating: 0x41, count: 500)

    private static let wrongHandshakes: [(name: String, bytes: [UInt8])] = [
        ("plain HTTP", Array((AttackedServer.head("GET", "/v1") + "\r\n").utf8)),
        ("nothing", []),
        ("a byte", [0x16]),
        ("a hello that breaks off", Array(hello.prefix(100))),
        ("a hello of noise", hello),
        ("a hello of SSL 2", [0x80, 0x2E, 0x01, 0x00, 0x02, 0x00, 0x15, 0x00, 0x00, 0x00, 0x10] + hello.suffix(60)),
        ("a record of 64 KiB", [0x16, 0x03, 0x01, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 70_000)),
        ("an empty record", [0x16, 0x03, 0x01, 0x00, 0x00]),
        ("many empty records", (0..<2_000).flatMap { _ in [0x16, 0x03, 0x03, 0x00, 0x00] as [UInt8] }),
        ("an alert", [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]),
        ("many warnings", (0..<2_000).flatMap { _ in [0x15, 0x03, 0x03, 0x00, 0x02, 0x01, 0x5A] as [UInt8] }),
        ("data before the handshake", [0x17, 0x03, 0x03, 0x00, 0x05] + Array("hello".utf8)),
        ("a heartbeat", [0x18, 0x03, 0x02, 0x00, 0x03, 0x01, 0x40, 0x00]),
        ("a change of ciphers", [0x14, 0x03, 0x03, 0x00, 0x01, 0x01]),
        ("noise behind the type", [0x16] + (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
    ]
}
