import JSONText
import Testing

@testable import MedleyCore

/// A replacement that is refused says where its content is wrong, to the member.
@Suite struct ReplacingErrorTests {
    private func content(_ sections: [(SectionID, [ItemContent])]) -> SnapshotContent {
        SnapshotContent(
            members: Build.members("\"title\":\"\""),
            sections: sections.map { SnapshotContent.Section(content: Build.section($0.0), items: $0.1) })
    }

    private func error(_ sections: [(SectionID, [ItemContent])]) throws -> ChangeError? {
        let base = try Build.snapshot(["s": ["a"]])
        do throws(ChangeError) {
            _ = try base.replacing(with: content(sections))
            return nil
        } catch {
            return error
        }
    }

    @Test func eachHasItsPath() throws {
        let other = ItemContent(id: "a", type: ItemType("video"), liked: nil, model: .empty)
        let untyped = ItemContent(id: "n", type: nil, liked: nil, model: .empty)
        func at(_ section: Int, _ item: Int, _ member: String) -> [ChangeError.Step] {
            [.member("sections"), .index(section), .member("items"), .index(item), .member(member)]
        }
        #expect(
            try error([("s", [Build.item("a")]), ("t", [Build.item("b"), Build.item("a")])])
                == ChangeError(.duplicateID, at: at(1, 1, "id"), subject: "a"))
        #expect(try error([("s", [other])]) == ChangeError(.invalidItem, at: at(0, 0, "type"), subject: "a"))
        #expect(try error([("s", [untyped])]) == ChangeError(.invalidItem, at: at(0, 0, "type"), subject: "n"))
        #expect(
            try error([("s", []), ("s", [])])
                == ChangeError(
                    .duplicateID, at: [.member("sections"), .index(1), .member("id")], subject: "s"))
        let types = (0...Snapshot.maximumTypes).map {
            ItemContent(id: ItemID("n\($0)"), type: ItemType("t\($0)"), liked: nil, model: .empty)
        }
        #expect(try error([("s", types)])?.code == .invalidItem)
        #expect(try error([("s", [Build.item("a"), Build.item("b")])]) == nil)
    }
}
