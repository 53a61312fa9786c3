import JSONText
import Testing

@testable import MedleyCore

@Suite struct ChangesPropertyTests {
    /// What happened in one committed request.
    private struct Step {
        let snapshot: Snapshot
        let content: NaiveCollection
        let placed: Set<ItemID>
    }

    /// Random requests on one collection, one step for each that made a revision.
    private func history(seed: UInt64, requests: Int) throws -> [Step] {
        var edits = RandomEdits(seed: seed)
        let content = SnapshotContent(
            members: JSONMembers(trusted: Array("\"title\":\"T\"".utf8)),
            sections: (1...3).map { number in
                SnapshotContent.Section(
                    content: SectionContent(
                        id: SectionID("s\(number)"), members: JSONMembers(trusted: Array("\"title\":\"\"".utf8))),
                    items: (0..<6).map { edits.content(ItemID("p\(number).\($0)")) })
            })
        var snapshot = try Snapshot(lineage: "t", content: content)
        var oracle = NaiveCollection(snapshot)
        var steps = [Step(snapshot: snapshot, content: oracle, placed: [])]
        for _ in 0..<requests {
            let changes = edits.request(on: oracle)
            var expected = oracle
            for change in changes { expected.carryOut(change) }
            let next = try snapshot.applying(changes)
            #expect(NaiveCollection(next) == expected)
            try next.checkInvariants()
            // A revision if and only if something differs.
            #expect((next.revision == snapshot.revision) == (expected == oracle))
            let placed = edits.takePlaced()
            if next.revision != snapshot.revision {
                steps.append(Step(snapshot: next, content: expected, placed: placed))
            }
            (snapshot, oracle) = (next, expected)
        }
        return steps
    }

    @Test("changes(since:) is exact for every window", arguments: 0..<6)
    func windows(run: UInt64) throws {
        let seed = SeededGenerator.seed &+ run
        print("MEDLEY_SEED=\(seed) run 0")
        let steps = try history(seed: seed, requests: 64)
        var count = 0
        for start in steps.indices {
            var replica = Replica()
            let snapshot = steps[start].snapshot
            try replica.apply(snapshot.changesFromNothing(), isReset: true, to: snapshot.revision)
            #expect(NaiveCollection(replica.snapshot) == steps[start].content)
            for end in start..<steps.count {
                try check(steps, from: start, to: end, replica)
                count += 1
            }
        }
        print("\(count) windows")
        #expect(count > 1666, "six runs are to make more than 10,000")
    }

    private func check(_ steps: [Step], from start: Int, to end: Int, _ held: Replica) throws {
        let (old, new) = (steps[start], steps[end])
        guard case .changes(let changes) = new.snapshot.changes(since: old.snapshot.revision.number) else {
            Issue.record("no changes for a window that is kept")
            return
        }
        // A client, naively.
        var client = old.content
        for change in changes { client.apply(change) }
        #expect(client == new.content, "\(start) to \(end): \(old.content) by \(changes.map { summary($0) })")
        // The replica of the client library.
        var replica = held
        try replica.apply(changes, to: new.snapshot.revision)
        #expect(NaiveCollection(replica.snapshot) == new.content)
        // A second server, as a PATCH; it keeps the order of members that it has, as after any edit.
        #expect(NaiveCollection(try old.snapshot.applying(changes)).inOneOrder == new.content.inOneOrder)
        checkNormalForm(changes)
        checkExactness(changes, steps, from: start, to: end)
    }

    /// Each id at most once per op, and the ops in the protocol's order.
    private func checkNormalForm(_ changes: [Change]) {
        var named: [String: Set<String>] = [:]
        var lastRank = 0
        for change in changes {
            #expect(!change.ignoresMissing)
            let (rank, op, ids) = summary(change)
            #expect(rank >= lastRank)
            lastRank = rank
            for id in ids { #expect(named[op, default: []].insert(id).inserted) }
        }
    }

    private func summary(_ change: Change) -> (rank: Int, op: String, ids: [String]) {
        switch change.operation {
        case .delete(let ids): (1, "delete", ids.map(\.description))
        case .insertSection(let contents, _): (2, "insertSection", contents.map(\.id.description))
        case .moveSection(let ids, _): (2, "moveSection", ids.map(\.description))
        case .insert(let contents, _): (3, "insert", contents.map(\.id.description))
        case .move(let ids, _): (3, "move", ids.map(\.description))
        case .deleteSection(let ids): (4, "deleteSection", ids.map(\.description))
        case .updateSection(let contents): (5, "updateSection", contents.map(\.id.description))
        case .update(let contents): (6, "update", contents.map(\.id.description))
        case .updateCollection: (7, "updateCollection", [])
        default: (0, "none of the normal form", ["", ""])
        }
    }

    /// Deletes, inserts and updates are those that a comparison finds; only what something placed is moved.
    private func checkExactness(_ changes: [Change], _ steps: [Step], from start: Int, to end: Int) {
        var deleted = Set<ItemID>()
        var inserted = Set<ItemID>()
        var moved = Set<ItemID>()
        var updated = Set<ItemID>()
        for change in changes {
            switch change.operation {
            case .delete(let ids): deleted.formUnion(ids)
            case .insert(let contents, _): inserted.formUnion(contents.map(\.id))
            case .move(let ids, _): moved.formUnion(ids)
            case .update(let contents): updated.formUnion(contents.map(\.id))
            default: break
            }
        }
        let old = Dictionary(uniqueKeysWithValues: steps[start].content.allItems.map { ($0.id, $0) })
        let new = Dictionary(uniqueKeysWithValues: steps[end].content.allItems.map { ($0.id, $0) })
        let recreated = deleted.intersection(inserted)
        #expect(deleted.subtracting(recreated) == Set(old.keys).subtracting(new.keys))
        #expect(inserted.subtracting(recreated) == Set(new.keys).subtracting(old.keys))
        let window = start < end ? steps[(start + 1)...end] : []
        for id in recreated {
            // It must have been away, or made anew within one request.
            let wasAway = window.contains { $0.content.find(id) == nil }
            let wasMadeAnew = window.contains { $0.placed.contains(id) }
            #expect(wasAway || wasMadeAnew)
        }
        let kept = Set(old.keys).intersection(new.keys).subtracting(recreated)
        let differing = kept.filter { old[$0] != new[$0] }
        #expect(updated.isSuperset(of: differing))
        for id in updated.subtracting(differing) {
            #expect(window.contains { $0.content.allItems.first { $0.id == id } != old[id] })
        }
        let placed = window.reduce(into: Set<ItemID>()) { $0.formUnion($1.placed) }
        #expect(moved.isSubset(of: placed))
    }

    @Test("A reorder and a PUT move no more than lies outside a longest increasing subsequence", arguments: 0..<40)
    func fewestMoves(run: UInt64) throws {
        let seed = SeededGenerator.seed &+ 1000 &+ run
        print("MEDLEY_SEED=\(seed) run 0")
        let step = try #require(try history(seed: seed, requests: 5).last)
        var generator = SeededGenerator(seed)
        guard let section = step.content.sections.max(by: { $0.items.count < $1.items.count }), !section.items.isEmpty
        else { return }
        var order = section.items
        for _ in 0..<3 {
            order.swapAt(
                .random(in: order.indices, using: &generator), .random(in: order.indices, using: &generator))
        }
        let ranks = order.map { item in section.items.firstIndex { $0.id == item.id } ?? 0 }
        let fewest = order.count - longestIncreasingSubsequence(ranks).count

        let reordered = try step.snapshot.applying([Change(.reorder(section.id, order.map(\.id)))])
        #expect(moves(from: step.snapshot, to: reordered) == fewest)

        let put = SnapshotContent(
            members: step.content.members,
            sections: step.content.sections.map { one in
                let items = one.id == section.id ? order : one.items
                return SnapshotContent.Section(
                    content: SectionContent(id: one.id, members: one.members),
                    items: items.map { ItemContent(id: $0.id, type: $0.type, liked: nil, model: $0.model) })
            })
        let replaced = try step.snapshot.replacing(with: put)
        #expect(moves(from: step.snapshot, to: replaced) == fewest)
        #expect(NaiveCollection(replaced) == NaiveCollection(reordered))
    }

    private func moves(from old: Snapshot, to new: Snapshot) -> Int {
        guard case .changes(let changes) = new.changes(since: old.revision.number) else { return -1 }
        return changes.reduce(0) { count, change in
            if case .move(let ids, _) = change.operation { count + ids.count } else { count }
        }
    }

    @Test("A PUT of any state leads to it, touching nothing that it does not change", arguments: 0..<20)
    func replacement(run: UInt64) throws {
        let seed = SeededGenerator.seed &+ 2000 &+ run
        print("MEDLEY_SEED=\(seed) run 0")
        let steps = try history(seed: seed, requests: 30)
        let (old, new) = (steps[steps.count / 2], steps[steps.count - 1])
        let types = Dictionary(uniqueKeysWithValues: old.content.allItems.map { ($0.id, $0.type) })
        let content = SnapshotContent(
            members: new.content.members,
            sections: new.content.sections.map { section in
                SnapshotContent.Section(
                    content: SectionContent(id: section.id, members: section.members),
                    items: section.items.filter { types[$0.id] == nil || types[$0.id] == $0.type }.map {
                        ItemContent(id: $0.id, type: $0.type, liked: $0.liked, model: $0.model)
                    })
            })
        let replaced = try old.snapshot.replacing(with: content)
        try replaced.checkInvariants()
        var stated = NaiveCollection(try Snapshot(lineage: "u", content: content))
        stated.keepOrder(of: old.content)
        #expect(NaiveCollection(replaced) == stated)
        #expect(try replaced.replacing(with: content).revision == replaced.revision)
        guard case .changes(let changes) = replaced.changes(since: old.snapshot.revision.number) else {
            Issue.record("no changes")
            return
        }
        var client = old.content
        for change in changes { client.apply(change) }
        #expect(client == NaiveCollection(replaced))
    }
}
