/// What a fuzz target is given, and how it says that something does not hold.
package enum FuzzInput {
    /// A copy of the input.
    package static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Ends the process, which libFuzzer takes for a crash and keeps the input of, unless a condition holds.
    package static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fatalError(message()) }
    }
}

/// A number that depends on some bytes only (FNV-1a), for choices that a repeated run must make again.
package struct ByteHash {
    private var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Starts with bytes.
    package init(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// The next number below a bound.
    package mutating func next(below bound: Int) -> Int {
        value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((value >> 33) % UInt64(bound))
    }
}
