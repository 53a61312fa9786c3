import JSONText

@testable import MedleyCore

/// Small collections and changes in few words.
enum Build {
    static let music = ItemType("music")

    static func members(_ text: String) -> JSONMembers { JSONMembers(trusted: Array(text.utf8)) }

    static func item(_ id: ItemID, _ model: String = "", liked: Bool? = nil) -> ItemContent {
        ItemContent(id: id, type: music, liked: liked, model: members(model))
    }

    static func section(_ id: SectionID) -> SectionContent {
        SectionContent(id: id, members: members("\"title\":\"\""))
    }

    /// A collection with these items in each section: `["s": ["a", "b"]]`.
    static func snapshot(_ sections: KeyValuePairs<SectionID, [ItemID]>) throws -> Snapshot {
        let content = SnapshotContent(
            members: members("\"title\":\"\""),
            sections: sections.map { id, items in
                SnapshotContent.Section(content: section(id), items: items.map { item($0) })
            })
        return try Snapshot(lineage: "l", content: content)
    }
}

extension Snapshot {
    /// The snapshot after changes.
    func after(_ operations: Change.Operation...) throws -> Snapshot {
        let next = try applying(operations.map { Change($0) })
        try next.checkInvariants()
        return next
    }

    /// The changes since a revision number; `nil` if they cannot be told.
    func list(since number: UInt64) -> [Change.Operation]? {
        guard case .changes(let changes)? = changes(since: number) else { return nil }
        return changes.map(\.operation)
    }

    /// The ids of a section.
    func ids(_ section: SectionID) -> [ItemID] { self.section(section)?.items().map(\.id) ?? [] }
}
