extension JSONMembers: Sequence {
    /// A member: its name and its value's compact text.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: JSONString
        /// The value as compact text.
        public let value: ArraySlice<UInt8>
    }

    /// Walks the members in their order.
    public struct Iterator: IteratorProtocol {
        private let bytes: [UInt8]
        private var offset: Int
        private let end: Int

        /// Starts at the first of the members whose text is a range of `bytes`.
        init(_ bytes: [UInt8], in range: Range<Int>) {
            self.bytes = bytes
            offset = range.lowerBound
            end = range.upperBound
        }

        /// The next member; `nil` after the last. O(bytes of the member).
        public mutating func next() -> Member? {
            guard offset < end else { return nil }
            let nameEnd = endOfString(from: offset)
            let valueEnd = endOfValue(from: nameEnd + 1)
            let name = JSONString(trusted: bytes[offset..<nameEnd])
            let value = bytes[(nameEnd + 1)..<valueEnd]
            offset = valueEnd + 1
            return Member(name: name, value: value)
        }

        /// The offset behind the string whose opening quote is at `start`.
        private func endOfString(from start: Int) -> Int {
            var offset = ByteRun.endOfUnescaped(in: bytes, from: start + 1, upTo: end)
            while bytes[offset] != UInt8(ascii: "\"") {
                offset = ByteRun.endOfUnescaped(in: bytes, from: offset + 2, upTo: end)
            }
            return offset + 1
        }

        /// The offset behind the value that begins at `start`.
        private func endOfValue(from start: Int) -> Int {
            var offset = start
            var depth = 0
            while offset < end {
                switch bytes[offset] {
                case UInt8(ascii: "\""):
                    offset = endOfString(from: offset)
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ",") where depth == 0: return offset
                default: break
                }
                offset += 1
            }
            return offset
        }
    }

    /// Walks the members in their order.
    public func makeIterator() -> Iterator { Iterator(bytes, in: 0..<bytes.count) }
}
