import Glibc

/// Nanoseconds of the monotonic clock.
func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func seconds(since start: UInt64) -> Double { Double(nanoseconds() - start) / 1e9 }

/// Times of many calls.
struct Samples {
    private(set) var nanoseconds: [UInt64] = []

    var count: Int { nanoseconds.count }

    mutating func add(_ time: UInt64) { nanoseconds.append(time) }

    mutating func add(_ other: Samples) { nanoseconds += other.nanoseconds }

    /// Takes the time of a call.
    mutating func time(_ body: () throws -> Void) rethrows {
        let start = Self.now()
        try body()
        add(Self.now() - start)
    }

    private static func now() -> UInt64 { JournalBenchmark.nanoseconds() }

    /// Microseconds that so great a share of the calls took at most.
    func quantile(_ share: Double) -> Double {
        let sorted = nanoseconds.sorted()
        guard let last = sorted.indices.last else { return .nan }
        return Double(sorted[min(last, Int(Double(sorted.count) * share))]) / 1000
    }

    var median: Double { quantile(0.5) }
    var maximum: Double { quantile(1) }
}

/// The middle one of some numbers.
func median(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }
