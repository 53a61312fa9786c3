import EventLoop
import Foundation
import Glibc
import Synchronization

/// A client that goes on asking and editing while a server is attacked, and takes the time of each answer.
final class HonestClient: Sendable {
    /// What it saw.
    struct Account: Sendable {
        /// The seconds of each answer.
        var seconds: [Double] = []
        /// The first thing that went wrong.
        var failure: String?

        /// The time within which such a share of the answers came, in milliseconds.
        func milliseconds(_ share: Double) -> Double {
            guard !seconds.isEmpty else { return .infinity }
            let sorted = seconds.sorted()
            return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] * 1e3
        }

        /// The times in words.
        var figures: String {
            func text(_ share: Double) -> String { String(format: "%.1f", milliseconds(share)) }
            return
                "\(seconds.count) answers, median \(text(0.5)) ms, 99 % within \(text(0.99)) ms, longest \(text(1)) ms"
        }
    }

    private let connect: @Sendable () throws -> TestClient
    private let token: String?
    /// Between two requests, in microseconds.
    private let pause: UInt32
    private let account = Mutex(Account())
    /// How many answers it asks for before it ends; for ever until that is known.
    private let wanted = Atomic(Int.max)
    private let ended = DispatchSemaphore(value: 0)

    /// Connections are distributed over the server's loops: with several, each loop is asked.
    private static let connections = 4
    /// After so many requests a connection is given up for another, so that new ones are tried as well.
    private static let requests = 16

    /// Starts asking: at a person's pace, so that it is no load by itself, and where there is a rate at half of it at most.
    init(token: String?, rate: Int, connect: @escaping @Sendable () throws -> TestClient) {
        self.connect = connect
        self.token = token
        pause = rate > 0 ? UInt32(max(5_000, 2_000_000 / rate)) : 5_000
        Thread.detachNewThread { [self] in
            do { try ask() } catch { account.withLock { $0.failure = $0.failure ?? "\(error)" } }
            ended.signal()
        }
    }

    /// Has it end when it has had so many answers at least, or one failed; and tells what it saw.
    func finish(after count: Int) -> Account {
        wanted.store(count, ordering: .relaxed)
        ended.wait()
        return account.withLock { $0 }
    }

    private func ask() throws {
        var clients: [TestClient] = []
        var number = 0
        while account.withLock({ $0.failure == nil || wanted.load(ordering: .relaxed) == .max }),
            number < wanted.load(ordering: .relaxed)
        {
            usleep(pause)
            let index = number % Self.connections
            let start = EventLoop.now()
            if clients.count == index {
                clients.append(try connect())
            } else if (number / Self.connections) % Self.requests == 0 {
                clients[index] = try connect()
            }
            try clients[index].send(request(number))
            let reply = try clients[index].receive()
            let seconds = Double(EventLoop.now() - start) / 1e9
            account.withLock { account in
                account.seconds.append(seconds)
                if reply.status != 200 { account.failure = account.failure ?? "\(reply.status) \(reply.text)" }
            }
            number += 1
        }
    }

    private func request(_ number: Int) -> String {
        let fields = "Host: localhost\r\n" + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
        if number % 3 == 0 {
            let body = #"{"changes":[{"op":"toggleLike","ids":["v1"]}]}"#
            return "PATCH /v1/collections/mix HTTP/1.1\r\n\(fields)Content-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        let target = number % 3 == 1 ? "/v1/collections/mix/items/v1" : "/v1/collections/mix?models=none"
        return "GET \(target) HTTP/1.1\r\n\(fields)\r\n"
    }
}
