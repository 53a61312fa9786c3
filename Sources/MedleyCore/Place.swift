/// Where items go: the protocol's *where*.
///
/// `after: null` and `before: null` with a section are its first and last place; without one, the first place of
/// the first section and the last place of the last section.
public enum Place: Hashable, Sendable {
    /// Last in a section; `nil` is the last section.
    case last(in: SectionID?)
    /// First in a section; `nil` is the first section.
    case first(in: SectionID?)
    /// Directly after an item; `section`, if given, must be the item's.
    case after(ItemID, section: SectionID?)
    /// Directly before an item; `section`, if given, must be the item's.
    case before(ItemID, section: SectionID?)
}

/// Where sections go among sections.
public enum SectionPlace: Hashable, Sendable {
    /// Before all others.
    case first
    /// After all others.
    case last
    /// Directly after a section.
    case after(SectionID)
    /// Directly before a section.
    case before(SectionID)
}
