extension SeededGenerator {
    /// A generator for a test, with the seed printed.
    static func printed(_ test: String = #function) -> SeededGenerator {
        print("\(test): MEDLEY_SEED=\(seed)")
        return SeededGenerator(seed)
    }
}
