import Synchronization

/// The system's clock and a monotonic one, as a test sets them.
final class ManualClock: Sendable {
    private let wall = Atomic<Int64>(1_000_000_000_000)
    private let passed = Atomic<Int64>(0)

    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64 { { self.wall.load(ordering: .relaxed) } }
    /// Seconds.
    var monotonic: @Sendable () -> Double { { Double(self.passed.load(ordering: .relaxed)) / 1000 } }

    /// Lets time pass.
    func advance(days: Double = 0, seconds: Double = 0) {
        let milliseconds = Int64(days * 86_400_000 + seconds * 1000)
        wall.add(milliseconds, ordering: .relaxed)
        passed.add(milliseconds, ordering: .relaxed)
    }

    /// Sets the system's clock only.
    func jump(days: Double) { wall.add(Int64(days * 86_400_000), ordering: .relaxed) }
}
