import Foundation

/// Random numbers that can be had again: the seed is new for each run, or that of `MEDLEY_SEED`.
struct SeededRandom: RandomNumberGenerator {
    /// Says how to repeat the run.
    let note: String
    private var state: UInt64

    init() {
        let seed =
            ProcessInfo.processInfo.environment["MEDLEY_SEED"].flatMap(UInt64.init)
            ?? UInt64.random(in: 0..<1_000_000)
        note = "MEDLEY_SEED=\(seed)"
        state = seed
        print(note)
    }

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
