import Glibc

/// The seed of this run's random tests: `MEDLEY_SEED` if it is set. Failures print it.
enum Seed {
    static let value: UInt64 = {
        if let text = unsafe getenv("MEDLEY_SEED"), let seed = unsafe UInt64(String(cString: text)) { return seed }
        return UInt64.random(in: 0...UInt64.max)
    }()
}
