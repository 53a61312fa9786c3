import JSONText

/// The collection's own members, `title` first, each with the revisions at which it was added and changed.
struct CollectionHeader: Sendable {
    /// A member's name: what it says, and how it was first written.
    struct Name: Equatable, Sendable {
        let utf8: [UInt8]
        let text: [UInt8]

        init(_ name: JSONString) {
            utf8 = Array(name.utf8)
            text = Array(name.text)
        }

        static func == (left: Name, right: Name) -> Bool { left.utf8 == right.utf8 }
    }

    /// A member with its history.
    struct Member: Sendable {
        let name: Name
        var value: [UInt8]
        /// When it was last added, which is when it got its place.
        var placed: UInt64
        /// When its value last changed.
        var changed: UInt64
    }

    /// A name that was there until a revision.
    struct Removal: Sendable {
        let name: Name
        let revision: UInt64
    }

    /// The header of these members and removals.
    init(members: [Member] = [], removals: [Removal] = []) {
        self.members = members
        self.removals = removals
    }

    private(set) var members: [Member] = []
    /// The latest removal of each name, those that came back included.
    private(set) var removals: [Removal] = []

    /// The members as text. O(bytes).
    var text: JSONMembers {
        var text = JSONMembers.empty
        for member in members { text.append(nameText: member.name.text, value: member.value) }
        return text
    }

    /// The header after an edit that left these members. O(members²), which `Snapshot.maximumMembers` bounds.
    func updated(to text: JSONMembers, at number: UInt64) -> CollectionHeader {
        var next = CollectionHeader()
        next.removals = removals
        var lastKept = -1
        var hasNew = false
        for member in text {
            let value = Array(member.value)
            let name = Name(member.name)
            let old = members.firstIndex { $0.name == name }
            // A merge patch adds at the end: what stands behind something new is taken for added again itself.
            if let old, old > lastKept, !hasNew {
                lastKept = old
                let changed = members[old].value == value ? members[old].changed : number
                next.members.append(
                    Member(name: members[old].name, value: value, placed: members[old].placed, changed: changed))
            } else {
                hasNew = true
                if old != nil { next.remember(Removal(name: name, revision: number)) }
                next.members.append(Member(name: name, value: value, placed: number, changed: number))
            }
        }
        for member in members where !next.members.contains(where: { $0.name == member.name }) {
            next.remember(Removal(name: member.name, revision: number))
        }
        return next
    }

    private mutating func remember(_ removal: Removal) {
        removals.removeAll { $0.name == removal.name }
        removals.append(removal)
    }

    /// Drops removals that nobody at `floor` or later needs to be told.
    mutating func forget(through floor: UInt64) {
        removals.removeAll { $0.revision <= floor }
    }

    /// The merge patches that make the members at `number` those of now, byte for byte; none if nothing changed.
    ///
    /// One does, as a rule. A merge patch cannot replace an object as a whole, nor put a member that was removed and
    /// added again where it now stands: then the members from there on are removed by a first patch and set by a second.
    func patches(since number: UInt64) -> [JSONMergePatch] {
        let gone = removals.filter { $0.revision > number }
        let start =
            members.firstIndex { member in
                member.changed > number
                    && ((member.placed > number && gone.contains { $0.name == member.name })
                        || (member.placed <= number && member.value.first == UInt8(ascii: "{")))
            } ?? members.endIndex
        var removed = gone.filter { removal in
            !members[..<start].contains { $0.name == removal.name }
        }.map(\.name)
        for member in members[start...] where !removed.contains(member.name) { removed.append(member.name) }
        let set =
            members[..<start].filter { $0.changed > number } + members[start...]
        let removing = removed.map { JSONMergePatch.Member($0, action: .remove) }
        let setting = set.map { JSONMergePatch.Member($0.name, action: .setting($0.value)) }
        if start == members.endIndex {
            let all = removing + setting
            return all.isEmpty ? [] : [JSONMergePatch(members: all)]
        }
        return [JSONMergePatch(members: removing), JSONMergePatch(members: setting)]
    }
}

extension JSONMergePatch.Member {
    fileprivate init(_ name: CollectionHeader.Name, action: JSONMergePatch.Action) {
        self.init(nameText: name.text, name: name.utf8, action: action)
    }
}

extension JSONMergePatch.Action {
    /// The action that gives a member a value, compact text, where there is none.
    fileprivate static func setting(_ value: [UInt8]) -> JSONMergePatch.Action {
        guard value.first == UInt8(ascii: "{") else { return .set(value) }
        var scanner = JSONScanner(value)
        guard let patch = try? JSONMergePatch(from: &scanner) else { return .set(value) }
        return .merge(patch)
    }
}
