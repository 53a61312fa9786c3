public import MedleyCore

/// What of a snapshot an export holds.
///
/// A table has a column for each member of the items in the sections that pass, whether the items do or not, so that
/// columns do not come and go with likes.
public struct ExportFilter: Sendable {
    /// Whether a section passes; one that does not is left out with its items. `nil` lets all pass.
    public var section: (@Sendable (SectionID) -> Bool)?
    /// Whether an item of such a section passes; `nil` lets all pass.
    public var item: (@Sendable (Item) -> Bool)?

    /// Creates a filter; one without parts lets everything pass.
    public init(
        section: (@Sendable (SectionID) -> Bool)? = nil, item: (@Sendable (Item) -> Bool)? = nil
    ) {
        self.section = section
        self.item = item
    }

    func admits(_ section: Section) -> Bool { self.section?(section.id) ?? true }

    func admits(_ item: Item) -> Bool { self.item?(item) ?? true }
}
