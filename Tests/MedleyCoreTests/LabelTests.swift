import Testing

@testable import MedleyCore

/// Room between labels is used up and made again.
@Suite struct LabelTests {
    enum Pattern: CaseIterable { case afterTheFirst, beforeTheLast, eachAfterTheOneBefore, alternating, atRandom }

    @Test("Thousands of inserts at one place keep the order and the invariants", arguments: Pattern.allCases)
    func onePlace(pattern: Pattern) throws {
        var generator = SeededGenerator(SeededGenerator.seed)
        var snapshot = try Build.snapshot(["s": ["first", "last"]])
        var oracle: [ItemID] = ["first", "last"]
        for batch in 0..<60 {
            var changes: [Change] = []
            for step in 0..<50 {
                let id = ItemID("\(batch).\(step)")
                let index =
                    switch pattern {
                    case .afterTheFirst: 0
                    case .beforeTheLast: oracle.count - 2
                    case .eachAfterTheOneBefore: min(batch * 50 + step, oracle.count - 2)
                    case .alternating: oracle.count / 2
                    case .atRandom: Int.random(in: 0..<min(oracle.count, 3), using: &generator)
                    }
                changes.append(Change(.insert([Build.item(id)], at: .after(oracle[index], section: nil))))
                oracle.insert(id, at: index + 1)
            }
            let next = try snapshot.applying(changes)
            // Neighbours that were only labelled anew are no part of the difference.
            #expect(
                next.list(since: snapshot.revision.number)?.allSatisfy { if case .insert = $0 { true } else { false } }
                    == true)
            snapshot = next
        }
        try snapshot.checkInvariants()
        #expect(snapshot.ids("s") == oracle)
        #expect(snapshot.position(of: oracle[1234])?.index == 1234)
    }

    @Test func aBulkInsertFitsBetweenAnyNeighbours() throws {
        var snapshot = try Build.snapshot(["s": ["a", "b"]])
        for round in 0..<4 {
            let items = (0..<2_000).map { Build.item(ItemID("\(round).\($0)")) }
            snapshot = try snapshot.after(.insert(items, at: .after("a", section: nil)))
        }
        #expect(snapshot.itemCount == 8_002)
        #expect(snapshot.ids("s").first == "a")
        #expect(snapshot.ids("s")[1] == "3.0")
        #expect(snapshot.ids("s").last == "b")
    }

    @Test func sectionsFindRoomToo() throws {
        var snapshot = try Build.snapshot(["a": [], "z": []])
        var oracle: [SectionID] = ["a", "z"]
        for number in 0..<400 {
            let id = SectionID("\(number)")
            snapshot = try snapshot.applying([Change(.insertSection([Build.section(id)], at: .after("a")))])
            oracle.insert(id, at: 1)
        }
        try snapshot.checkInvariants()
        #expect(snapshot.orderedSections.map(\.id) == oracle)
    }

    @Test(arguments: [(0, 10, 3), (5, 6, 1), (0, UInt64.max, 1000)] as [(UInt64, UInt64, Int)])
    func spreadLabelsAreAscendingAndBetween(lower: UInt64, upper: UInt64, count: Int) {
        guard let labels = OrderLabel.spread(count, after: lower, before: upper) else {
            #expect(upper - lower <= UInt64(count))
            return
        }
        #expect(labels.count == count)
        #expect(labels == labels.sorted() && Set(labels).count == count)
        #expect(labels.allSatisfy { $0 > lower && $0 < upper })
    }
}
