import Foundation

/// A generator of random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    /// `MEDLEY_SEED`, else another each time; a test prints it, so that a failure can be seen again.
    static let seed: UInt64 =
        ProcessInfo.processInfo.environment["MEDLEY_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)

    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Whether something that happens `percent` times in a hundred does.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
