import JSONText
import Testing

@testable import MedleyCore

@Suite struct TypeLimitTests {
    @Test func aTypeBeyondTheLimitIsRefusedAndAStoreThatEmptiesMakesRoom() throws {
        var snapshot = try Build.snapshot(["s": []])
        func item(_ number: Int) -> ItemContent {
            ItemContent(id: ItemID("i\(number)"), type: ItemType("t\(number)"), liked: nil, model: .empty)
        }
        let all = (0..<Snapshot.maximumTypes).map(item)
        snapshot = try snapshot.after(.insert(all, at: .last(in: nil)))
        #expect(snapshot.stores.map(\.type) == snapshot.stores.map(\.type).sorted())
        #expect(
            throws: ChangeError(
                .invalidItem, at: [.index(0), .member("items"), .index(0)], subject: "i99", limit: 64)
        ) {
            try snapshot.after(.insert([item(99)], at: .last(in: nil)))
        }
        snapshot = try snapshot.after(.delete(["i5"]), .insert([item(99)], at: .last(in: nil)))
        #expect(snapshot.item("i99")?.type == ItemType("t99"))
        #expect(try snapshot.store(#require(ItemType("t5"))) == nil)
    }
}
