import Foundation

/// The system's time in milliseconds since 1970.
@Sendable package func unixMilliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

/// The system's monotonic clock in seconds; it goes on while the machine sleeps.
@Sendable package func continuousSeconds() -> Double {
    // A moment of the standard library's clock has no number of its own, only a distance from another.
    (ContinuousClock.now - start) / .seconds(1)
}

private let start = ContinuousClock.now
