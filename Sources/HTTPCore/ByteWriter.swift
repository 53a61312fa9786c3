/// Writes pieces one behind the other into memory of a size that was computed before.
@safe struct ByteWriter {
    private let memory: UnsafeMutableRawBufferPointer
    private var count = 0

    /// Writes into this memory, from its start.
    @unsafe init(_ memory: UnsafeMutableRawBufferPointer) {
        unsafe self.memory = unsafe memory
    }

    /// What was written; valid as long as the memory.
    @unsafe var written: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    @inline(__always)
    private mutating func copy(_ source: UnsafeRawPointer, _ size: Int) {
        unsafe precondition(size <= memory.count - count, "the memory was computed too small")
        if size > 0, let base = unsafe memory.baseAddress {
            unsafe (base + count).copyMemory(from: source, byteCount: size)
        }
        count += size
    }

    @inline(__always)
    mutating func write(_ literal: StaticString) {
        unsafe copy(literal.utf8Start, literal.utf8CodeUnitCount)
    }

    @inline(__always)
    mutating func write(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { raw in
            if let base = raw.baseAddress { unsafe copy(base, raw.count) }
        }
    }

    /// Writes the eight bytes of a word in their order in memory on a little-endian machine.
    @inline(__always)
    mutating func write(word: UInt64) {
        var word = word.littleEndian
        unsafe copy(&word, 8)
    }

    @inline(__always)
    mutating func write(text: String) { write(text.utf8Span.span) }

    /// Writes a text in which control characters become spaces.
    mutating func writeClean(_ text: String) {
        let span = text.utf8Span.span
        let start = count
        write(span)
        guard ByteClass.firstControl(in: span, 0..<span.count) < span.count else { return }
        for index in start..<count where unsafe memory[index] < 0x20 || memory[index] == 0x7F {
            unsafe memory[index] = ByteClass.space
        }
    }

    mutating func write(decimal number: Int) {
        precondition(number >= 0, "a count")
        if number >= 10 { write(decimal: number / 10) }
        var digit = UInt8(ascii: "0") + UInt8(number % 10)
        unsafe copy(&digit, 1)
    }
}
