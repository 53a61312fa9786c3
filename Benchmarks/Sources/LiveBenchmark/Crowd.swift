import CEpoll
import Glibc

/// Many connections that wait for the same bytes, watched by one thread.
///
/// It only counts what comes: the first connection's bytes are looked at, to know when a message is whole, and the others
/// have it when they have as many.
final class Crowd {
    /// How a message ends.
    enum Message {
        /// An HTTP response with its length.
        case response
        /// An event in a chunk, after whatever came before.
        case event
        /// So many bytes.
        case bytes(Int)
    }

    /// When the messages had come, in milliseconds from the start.
    struct Times {
        let p50: Double
        let p99: Double
        let last: Double
        /// The length of each message.
        let bytes: Int
    }

    private let poll: Int32
    private let descriptors: [Int32]
    private var counts: [Int]
    private var moments: [UInt64]
    private var events = [epoll_event](repeating: epoll_event(), count: 512)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(_ count: Int, port: UInt16) throws {
        poll = epoll_create1(0)
        descriptors = try (0..<count).map { try Socket.connect(port: port, number: $0) }
        counts = Array(repeating: 0, count: count)
        moments = Array(repeating: 0, count: count)
        for (index, descriptor) in descriptors.enumerated() {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: UInt64(index)))
            guard epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                throw BenchmarkError.call("epoll_ctl")
            }
        }
    }

    deinit {
        for descriptor in descriptors { Socket.reset(descriptor) }
        close(poll)
        buffer.deallocate()
    }

    /// Sends the same from each.
    func send(_ bytes: [UInt8]) throws {
        for descriptor in descriptors { try Socket.send(bytes, to: descriptor) }
    }

    /// Waits until each has a message that was begun at `start`, or by now.
    func receive(_ message: Message, since start: UInt64 = nanoseconds()) throws -> Times {
        for index in counts.indices { counts[index] = 0 }
        var sample: [UInt8] = []
        var length: Int?
        if case .bytes(let count) = message { length = count }
        var complete = 0
        while complete < descriptors.count {
            let found = epoll_wait(poll, &events, Int32(events.count), 20_000)
            guard found > 0 else {
                if found < 0, errno == EINTR { continue }
                throw BenchmarkError("only \(complete) of \(descriptors.count) messages have come")
            }
            for event in events[..<Int(found)] {
                let index = Int(event.data.u64)
                let count = recv(descriptors[index], buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else {
                    if count < 0, errno == EAGAIN || errno == EINTR { continue }
                    throw BenchmarkError("the server has closed a connection")
                }
                moments[index] = nanoseconds()
                counts[index] += count
                if let length {
                    if counts[index] == length { complete += 1 }
                } else if index == 0 {
                    sample += buffer[..<count]
                    length = Self.length(of: message, in: sample)
                    if let length { complete = counts.count { $0 == length } }
                }
            }
        }
        guard let length, counts.allSatisfy({ $0 == length }) else {
            throw BenchmarkError("the messages differ in length")
        }
        let sorted = moments.map { Double($0 - start) / 1e6 }.sorted()
        return Times(
            p50: sorted[sorted.count / 2], p99: sorted[sorted.count * 99 / 100], last: sorted[sorted.count - 1],
            bytes: length)
    }

    /// The length of a message, once it is whole.
    private static func length(of message: Message, in bytes: [UInt8]) -> Int? {
        switch message {
        case .bytes(let count): count
        case .event:
            String(decoding: bytes, as: UTF8.self).hasSuffix("]}\n\n\r\n") ? bytes.count : nil
        case .response:
            Answer(bytes).flatMap { bytes.count >= $0.byteCount ? $0.byteCount : nil }
        }
    }
}
