/// The names of the objects that a scanner is inside, to find one that comes twice.
///
/// An object's first names are compared one by one, beyond those they are hashed: a million names cost no more than
/// a million look-ups. All objects share one buffer, so that a small one allocates nothing.
struct MemberNames {
    private static let comparedOneByOne = 16

    private struct Name {
        /// Bytes of both ends, so that most pairs need no closer look.
        let fingerprint: UInt64
        let range: Range<Int>
        let isDecoded: Bool
    }

    private struct Object {
        let firstName: Int
        let firstDecoded: Int
        var hashed: Set<[UInt8]>?
    }

    private var objects: [Object] = []
    private var names: [Name] = []
    private var decoded: [UInt8] = []

    /// Enters an object.
    mutating func begin() {
        objects.append(Object(firstName: names.count, firstDecoded: decoded.count, hashed: nil))
    }

    /// Leaves the innermost object.
    mutating func end() {
        guard let object = objects.popLast() else { return }
        names.removeSubrange(object.firstName...)
        decoded.removeSubrange(object.firstDecoded...)
    }

    /// Notes a name of the innermost object, the content of a string in `source`; false if it has it already.
    mutating func insert(_ source: [UInt8], _ content: Range<Int>, hasEscapes: Bool) -> Bool {
        guard let firstName = objects.last?.firstName else { return true }
        if objects[objects.count - 1].hashed != nil {
            let key = hasEscapes ? JSONString.decoded(source[content]) : Array(source[content])
            return objects[objects.count - 1].hashed?.insert(key).inserted ?? true
        }
        let name = entry(source, content, hasEscapes: hasEscapes)
        for other in names[firstName...] where other.fingerprint == name.fingerprint {
            if equal(name, other, source) { return false }
        }
        names.append(name)
        if names.count - firstName == Self.comparedOneByOne {
            let keys = names[firstName...].map { name in
                name.isDecoded ? Array(decoded[name.range]) : Array(source[name.range])
            }
            objects[objects.count - 1].hashed = Set(keys)
        }
        return true
    }

    private mutating func entry(_ source: [UInt8], _ content: Range<Int>, hasEscapes: Bool) -> Name {
        guard hasEscapes else {
            return Name(fingerprint: Self.fingerprint(source, content), range: content, isDecoded: false)
        }
        let start = decoded.count
        decoded.append(contentsOf: JSONString.decoded(source[content]))
        let range = start..<decoded.count
        return Name(fingerprint: Self.fingerprint(decoded, range), range: range, isDecoded: true)
    }

    private func equal(_ left: Name, _ right: Name, _ source: [UInt8]) -> Bool {
        guard left.range.count == right.range.count else { return false }
        let leftBytes = left.isDecoded ? decoded[left.range] : source[left.range]
        let rightBytes = right.isDecoded ? decoded[right.range] : source[right.range]
        return leftBytes.elementsEqual(rightBytes)
    }

    private static func fingerprint(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        if range.count >= 8 {
            return unsafe bytes.withUnsafeBytes { raw in
                precondition(range.upperBound <= raw.count)
                let first = unsafe raw.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
                let last = unsafe raw.loadUnaligned(fromByteOffset: range.upperBound - 8, as: UInt64.self)
                return first ^ (last << 7 | last >> 57)
            }
        }
        var fingerprint = UInt64(range.count)
        for offset in range { fingerprint = fingerprint << 8 | UInt64(bytes[offset]) }
        return fingerprint
    }
}
