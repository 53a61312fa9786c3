import Dispatch
import EventLoop
import Glibc
import Synchronization
import Testing

/// The writer of log lines against a pipe that is read, is not read, and whose reader goes.
@Suite struct LogWriterTests {
    /// A pipe; closes what is open of it.
    private final class Pipe {
        let input: Int32
        private(set) var output: Int32
        /// What was read behind the last whole line.
        private var rest: [UInt8] = []

        init() throws {
            var ends: [Int32] = [0, 0]
            let code = unsafe pipe(&ends)
            try #require(code == 0)
            (output, input) = (ends[0], ends[1])
        }

        deinit {
            closeOutput()
            close(input)
        }

        func closeOutput() {
            if output >= 0 { close(output) }
            output = -1
        }

        /// Reads until so many whole lines are there, or more; a part of another is kept for the next call.
        func lines(_ count: Int) -> [String] {
            var found = rest.count { $0 == 10 }
            var buffer = [UInt8](repeating: 0, count: 1_000)
            while found < count {
                let size = unsafe read(output, &buffer, buffer.count)
                guard size > 0 else { break }
                found += buffer[..<size].count { $0 == 10 }
                rest += buffer[..<size]
            }
            let end = rest.lastIndex(of: 10).map { $0 + 1 } ?? 0
            defer { rest.removeFirst(end) }
            return String(decoding: rest[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    @Test(arguments: [0, 0.001])
    func linesOfManyThreadsComeWholeAndInOrder(_ delay: Double) throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.input, capacity: 1 << 24, delay: delay)
        let threads = try (0..<4).map { try EventLoop(name: "writer-\($0)") }
        let count = 2_000
        for (number, thread) in threads.enumerated() {
            try thread.start()
            thread.execute {
                for line in 0..<count {
                    writer.write("\(number) \(line) \(String(repeating: "x", count: line * 7 % 300)) end")
                }
            }
        }
        let lines = pipe.lines(4 * count)
        for thread in threads {
            thread.stop()
            thread.join()
        }
        var next = [0, 0, 0, 0]
        for line in lines {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            let number = try #require(Int(parts[0]))
            #expect(parts.count == 4 && parts[3] == "end")
            #expect(Int(parts[1]) == next[number])
            #expect(parts[2].count == next[number] * 7 % 300)
            next[number] += 1
        }
        #expect(next == [count, count, count, count])
    }

    @Test func whatNobodyReadsIsDroppedCountedAndTold() throws {
        let pipe = try Pipe()
        let losses = Mutex<[LogWriter.Loss]>([])
        let writer = LogWriter(pipe.input, capacity: 10_000) { loss in losses.withLock { $0.append(loss) } }
        // More than the pipe and the writer hold together; nothing here may wait.
        let line = String(repeating: "x", count: 999)
        for _ in 0..<1_000 { writer.write(line) }
        #expect(losses.withLock { $0.first } == .begins)
        // With a reader, what was taken comes, and with it is told what was not.
        var taken = 0
        func dropped() -> Int {
            losses.withLock { $0.reduce(0) { if case .ended(let count) = $1 { $0 + count } else { $0 } } }
        }
        while taken + dropped() < 1_000 {
            let lines = pipe.lines(1)
            taken += lines.count
            try #require(!lines.isEmpty && lines.allSatisfy { $0 == line })
        }
        #expect(taken + dropped() == 1_000)
        for (number, loss) in losses.withLock({ $0 }).enumerated() { #expect((loss == .begins) == (number % 2 == 0)) }
    }

    @Test func withoutAListenerALineTells() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.input, capacity: 1_000)
        let line = String(repeating: "x", count: 999)
        for _ in 0..<1_000 { writer.write(line) }
        var (taken, dropped) = (0, 0)
        while taken + dropped < 1_000 {
            let lines = pipe.lines(1)
            try #require(!lines.isEmpty)
            for text in lines {
                if text == line {
                    taken += 1
                } else {
                    try #require(text.hasSuffix(" lines could not be written here"))
                    dropped += try #require(text.split(separator: " ").first.flatMap { Int($0) })
                }
            }
        }
        #expect(taken + dropped == 1_000 && dropped > 0)
    }

    /// What a writer told of its losses.
    private final class Losses: Sendable {
        private let told = Mutex<[LogWriter.Loss]>([])
        private let semaphore = DispatchSemaphore(value: 0)

        func add(_ loss: LogWriter.Loss) {
            told.withLock { $0.append(loss) }
            semaphore.signal()
        }

        var all: [LogWriter.Loss] { told.withLock { $0 } }

        /// Waits until one more was told.
        func wait() { semaphore.wait() }
    }

    @Test func aReaderThatHasGoneEndsNothingAndIsTold() throws {
        let pipe = try Pipe()
        let losses = Losses()
        let writer = LogWriter(pipe.input) { losses.add($0) }
        pipe.closeOutput()
        for number in 0..<100 { writer.write("\(number)") }
        writer.flush(within: 60)
        #expect(losses.all == [.begins, .ended(100)])
    }

    @Test func aFullDiskLosesNoLineUntold() throws {
        let full = unsafe open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let losses = Losses()
        let writer = LogWriter(full) { losses.add($0) }
        for number in 0..<100 { writer.write("\(number)") }
        writer.flush(within: 60)
        #expect(losses.all == [.begins, .ended(100)])
        writer.write("one\ntwo")
        writer.flush(within: 60)
        #expect(losses.all == [.begins, .ended(100), .begins, .ended(2)])
        // Where there is room again what is written comes, and what was lost before is told behind it.
        writer.write("three")
        for _ in 0..<5 { losses.wait() }
        let pipe = try Pipe()
        try #require(dup2(pipe.input, full) == full)
        writer.write("four")
        #expect(pipe.lines(1) == ["four"])
        losses.wait()
        #expect(losses.all.suffix(2) == [.begins, .ended(1)])
    }

    @Test func withoutAListenerALineTellsOfAnErrorToo() throws {
        let full = unsafe open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let writer = LogWriter(full)
        for number in 0..<10 { writer.write("\(number)") }
        writer.flush(within: 60)
        let pipe = try Pipe()
        try #require(dup2(pipe.input, full) == full)
        writer.write("there")
        #expect(pipe.lines(2) == ["there", "10 lines could not be written here"])
    }

    @Test func aDescriptorThatDoesNotBlockGetsEveryLine() throws {
        let pipe = try Pipe()
        _ = fcntl(pipe.input, F_SETFL, fcntl(pipe.input, F_GETFL) | O_NONBLOCK)
        let writer = LogWriter(pipe.input, capacity: 1 << 24)
        for number in 0..<3_000 { writer.write("\(number) \(String(repeating: "x", count: 100))") }
        let lines = pipe.lines(3_000)
        #expect(lines.map { Int($0.prefix { $0 != " " }) } == (0..<3_000).map { $0 })
    }

    @Test func aFlushDoesNotWaitForTheDelay() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.input, delay: 3_600)
        writer.write("a")
        writer.flush(within: 20)
        #expect(pipe.lines(1) == ["a"])
    }
}
