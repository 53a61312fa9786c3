import CAllocator

/// Times and memory of this process.
enum Measurement {
    /// The median over `rounds` of the nanoseconds of one call, each round `calls` calls long.
    static func nanoseconds(rounds: Int, calls: Int, _ body: (Int) -> Void) -> Double {
        var times: [Double] = []
        var index = 0
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            for _ in 0..<calls {
                body(index)
                index += 1
            }
            let duration = ContinuousClock.now - start
            times.append(Double(duration.components.attoseconds) / 1e9 + Double(duration.components.seconds) * 1e9)
        }
        return times.sorted()[rounds / 2] / Double(calls)
    }

    /// The bytes that are allocated now, arenas and mapped blocks together.
    static func allocatedBytes() -> Int {
        let info = mallinfo2()
        return info.uordblks + info.hblkhd
    }
}
