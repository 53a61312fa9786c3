import Glibc

/// Why a measurement could not be made.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// A system call that failed just now.
    static func call(_ name: String) -> BenchmarkError {
        let code = errno
        return BenchmarkError("\(name): \(String(cString: strerror(code)))")
    }
}
