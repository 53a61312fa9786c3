import JSONText
import MedleyCore

/// The members of a change as they are written, in any order; `op` says at the end what they mean together.
struct ChangeFields {
    var op: ChangeOp?
    var present: ChangeMembers = []
    var items: [ItemContent] = []
    var itemsWithoutID: [Int] = []
    var itemsWithoutType: [Int] = []
    var ids: [ItemID] = []
    var sections: [SectionContent] = []
    var patch = JSONMergePatch(members: [])
    var section: SectionID?
    /// The anchor; `nil` is `null` if the member is present.
    var after: ItemID?
    /// The anchor; `nil` is `null` if the member is present.
    var before: ItemID?

    /// Where items go; `nil` if nothing says so.
    var place: Place? {
        if present.contains(.after) { return after.map { .after($0, section: section) } ?? .first(in: section) }
        if present.contains(.before) { return before.map { .before($0, section: section) } ?? .last(in: section) }
        return section.map { .last(in: $0) }
    }

    /// Where sections go.
    var sectionPlace: SectionPlace {
        if present.contains(.after) { return after.map { .after(SectionID(utf8: $0.utf8)) } ?? .first }
        return before.map { .before(SectionID(utf8: $0.utf8)) } ?? .last
    }

    /// The ids as those of sections.
    var sectionIDs: [SectionID] { ids.map { SectionID(utf8: $0.utf8) } }
}
