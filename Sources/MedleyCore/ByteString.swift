/// Immutable bytes in one heap object: header and bytes share an allocation, and the value is one reference.
///
/// An array would cost a second object and twice the header for each of a million ids and models.
// SAFETY: the bytes are written in `init`, before any other reference exists, and never again.
struct ByteString: @unchecked Sendable {
    private let buffer: ManagedBuffer<Int, UInt8>

    /// Makes one from two pieces, one after the other. O(bytes).
    init(_ first: [UInt8], _ second: [UInt8] = []) {
        let count = first.count + second.count
        buffer = ManagedBuffer<Int, UInt8>.create(minimumCapacity: count) { _ in count }
        unsafe buffer.withUnsafeMutablePointerToElements { elements in
            let all = unsafe UnsafeMutableBufferPointer(start: elements, count: count)
            let end = unsafe all.initialize(fromContentsOf: first)
            _ = unsafe all[end...].initialize(fromContentsOf: second)
        }
    }

    /// Makes one from two pieces, one after the other, without arrays in between. O(bytes).
    init(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) {
        let count = first.count + second.count
        buffer = ManagedBuffer<Int, UInt8>.create(minimumCapacity: count) { _ in count }
        unsafe buffer.withUnsafeMutablePointerToElements { elements in
            let all = unsafe UnsafeMutableBufferPointer(start: elements, count: count)
            let end = unsafe all.initialize(fromContentsOf: first)
            _ = unsafe all[end...].initialize(fromContentsOf: second)
        }
    }

    /// The number of bytes.
    var count: Int { buffer.header }

    /// Whether both are the same object.
    static func === (left: ByteString, right: ByteString) -> Bool { left.buffer === right.buffer }

    /// Calls `body` with the bytes of a range.
    func withBytes<R>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return try unsafe buffer.withUnsafeMutablePointerToElements { elements in
            try unsafe body(UnsafeRawBufferPointer(start: elements + range.lowerBound, count: range.count))
        }
    }

    /// A copy of the bytes of a range. O(bytes).
    func copy(_ range: Range<Int>) -> [UInt8] {
        unsafe withBytes(range) { unsafe Array($0) }
    }
}
