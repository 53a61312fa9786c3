public import JSONText
import MedleyJSON

/// The names of members that items have: what a table's columns are made of.
public struct MemberNameList: Hashable, Sendable {
    private var seen: Set<[UInt8]> = []
    private var order: [[UInt8]] = []

    /// No names.
    public init() {}

    /// Adds the names of an item's members. O(bytes), expected.
    public mutating func add(_ model: JSONMembers) {
        for member in model {
            let name = Array(member.name.utf8)
            if seen.insert(name).inserted { order.append(name) }
        }
    }

    /// Adds names that another list gave. O(bytes), expected.
    public mutating func add(_ names: [[UInt8]]) {
        for name in names where seen.insert(name).inserted { order.append(name) }
    }

    /// How many names there are. O(1).
    public var count: Int { order.count }

    /// The names: known members first, then the others in the order in which they came. O(names).
    public var names: [[UInt8]] {
        let known = KnownMember.allCases.map { Array($0.rawValue.utf8) }
        return known.filter { seen.contains($0) } + order.filter { KnownMember(utf8: $0[...]) == nil }
    }
}
