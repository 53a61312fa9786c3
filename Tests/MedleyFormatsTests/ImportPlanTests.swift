import JSONText
import MedleyCore
import MedleyFormats
import Testing

/// What a file's records come to as changes, carried out on snapshots.
@Suite struct ImportPlanTests {
    /// A collection after a file has come in.
    struct Outcome {
        var snapshot: Snapshot
        var summary: ImportSummary
        /// The net changes; none for a collection that is new.
        var changes: [Change] = []
    }

    static func imported(
        _ text: some Sequence<UInt8>, _ name: String = "x.jsonl", into known: Snapshot? = nil,
        asOutline: Bool = false, section: String? = nil, _ options: ImportPlan.Options = .init()
    ) throws -> Outcome {
        let (_, reader) = try MediaFile.open(ByteReader(Array(text)), name: name)
        var reading = try ImportReading(reader, RecordMapping(section: section.map { Array($0.utf8) }))
        let target = known.map { asOutline ? ImportTarget(outline: $0.outline) : ImportTarget($0) } ?? .absent
        var plan = ImportPlan(into: target, options)
        while let step = try reading.next() {
            do throws(ImportRefusal) { try plan.take(step) } catch { reading.summary.refuse(error) }
        }
        guard let known else {
            return Outcome(
                snapshot: try Snapshot(lineage: "l", content: plan.content(named: "c")), summary: reading.summary)
        }
        let next = try known.applying(
            plan.takeBatch().changes().changes + plan.closing(isWhole: reading.isComplete))
        guard case .changes(let changes)? = next.changes(since: known.revision.number) else {
            throw ChangeError(.tooLarge, at: [])
        }
        return Outcome(snapshot: next, summary: reading.summary, changes: changes)
    }

    static func layout(_ snapshot: Snapshot) -> [String] {
        snapshot.orderedSections.map { section in
            "\(section.id): " + section.items().map { "\($0.id)" }.joined(separator: " ")
        }
    }

    static func lines(_ items: [(id: String, section: String)]) -> [UInt8] {
        Array(items.map { #"{"id":"\#($0.id)","g":"\#($0.section)"}"# + "\n" }.joined().utf8)
    }

    static let source = ImportPlan.Options(takesSourceOrder: true)

    /// What a file has, as `id>section`, and what comes of it.
    private static let orders: [(file: String, layout: String, moves: Int)] = [
        ("a>s b>s c>s", "s: a b c x, t: y", 0), ("c>s a>s b>s", "s: c a b x, t: y", 1),
        ("c>s b>s a>s", "s: c b a x, t: y", 2),
        // Others keep their places: what is moved goes beside what the file has.
        ("x>s b>s", "s: a x b c, t: y", 1), ("n>s c>s m>s", "s: a b n c m x, t: y", 0),
        ("y>s b>s", "s: a y b c x, t: ", 1), ("y>t b>s", "t: y, s: a b c x", 0),
        ("y>t n>u b>s", "t: y, u: n, s: a b c x", 0), ("b>u", "s: a c x, t: y, u: b", 1),
    ]

    @Test(arguments: orders.indices)
    func takesTheFilesOrderByTheFewestMoves(index: Int) throws {
        let (items, layout, moves) = Self.orders[index]
        let there = Self.lines([("a", "s"), ("b", "s"), ("c", "s"), ("x", "s"), ("y", "t")])
        let known = try Self.imported(there, section: "g").snapshot
        let file = Self.lines(
            items.split(separator: " ").map { item in
                let parts = item.split(separator: ">")
                return (id: String(parts[0]), section: String(parts[1]))
            })
        for asOutline in [false, true] {
            let outcome = try Self.imported(file, into: known, asOutline: asOutline, section: "g", Self.source)
            #expect(Self.layout(outcome.snapshot).joined(separator: ", ") == layout)
            #expect(outcome.changes.movedItems == moves, "\(outcome.changes)")
            let again = try Self.imported(
                file, into: outcome.snapshot, asOutline: asOutline, section: "g", Self.source)
            #expect(again.snapshot.revision == outcome.snapshot.revision)
        }
        // Without being asked, nothing that is there moves.
        let kept = try Self.imported(file, into: known, section: "g")
        #expect(kept.changes.movedItems == 0)
    }

    /// Any hand-made arrangement and any file: the file's items stand in its order, the others as they stood, and no order
    /// of fewer moves would do.
    @Test func anyFilesOrderIsTakenByTheFewestMoves() throws {
        var random = SeededRandom()
        for _ in 0..<200 {
            let sections = (0..<3).map { "s\($0)" }
            var there = (0..<12).map { (id: "i\($0)", section: sections.randomElement(using: &random) ?? "s0") }
            there.shuffle(using: &random)
            let known = try Self.imported(Self.lines(there), section: "g").snapshot
            var file = (0..<18).map { number in
                (id: "i\(number)", section: sections.randomElement(using: &random) ?? "s0")
            }
            file.shuffle(using: &random)
            file.removeLast(Int.random(in: 0..<10, using: &random))
            let outcome = try Self.imported(Self.lines(file), into: known, section: "g", Self.source)
            let named = Set(file.map(\.id))
            var expectedMoves = 0
            for section in sections {
                let wanted = file.filter { $0.section == section }.map(\.id)
                let found = Self.ids(outcome.snapshot, section)
                #expect(found.filter { named.contains($0) } == wanted, "\(random.note)")
                let before = Self.ids(known, section)
                #expect(found.filter { !named.contains($0) } == before.filter { !named.contains($0) }, "\(random.note)")
                let staying = wanted.compactMap { before.firstIndex(of: $0) }
                expectedMoves += staying.count - Self.longestRise(staying)
                expectedMoves += wanted.count { id in
                    !before.contains(id) && there.contains { $0.id == id }
                }
            }
            #expect(outcome.changes.movedItems == expectedMoves, "\(random.note)")
            let again = try Self.imported(Self.lines(file), into: outcome.snapshot, section: "g", Self.source)
            #expect(again.snapshot.revision == outcome.snapshot.revision, "\(random.note)")
        }
    }

    private static func ids(_ snapshot: Snapshot, _ section: String) -> [String] {
        snapshot.section(SectionID(section))?.items().map { "\($0.id)" } ?? []
    }

    /// The length of a longest increasing subsequence, the slow way.
    private static func longestRise(_ values: [Int]) -> Int {
        var best: [Int] = []
        for (index, value) in values.enumerated() {
            best.append(1 + (values[..<index].indices.filter { values[$0] < value }.map { best[$0] }.max() ?? 0))
        }
        return best.max() ?? 0
    }

    @Test func prunesWhatTheFileDoesNotHave() throws {
        let known = try Self.imported(
            Self.lines([("a", "s"), ("b", "s"), ("c", "t"), ("d", "t")]), section: "g"
        ).snapshot
        let prune = ImportPlan.Options(prunes: true)
        for asOutline in [false, true] {
            let outcome = try Self.imported(
                Self.lines([("d", "t"), ("e", "s")]), into: known, asOutline: asOutline, section: "g", prune)
            #expect(Self.layout(outcome.snapshot) == ["s: e", "t: d"])
            // A record that cannot be read may be any of them.
            let broken = Self.lines([("d", "t")]) + Array("{\"id\":\n".utf8)
            let kept = try Self.imported(broken, into: known, asOutline: asOutline, section: "g", prune)
            #expect(Self.layout(kept.snapshot) == ["s: a b", "t: c d"])
        }
        // What the collection cannot take is in the file nevertheless.
        let typed = try Self.imported(Array(#"{"id":"a","type":"video"}"#.utf8), into: known, prune)
        #expect(typed.summary.refused == 1)
        #expect(Self.layout(typed.snapshot) == ["s: a", "t: "])
    }

    @Test func everyItemCanHaveASectionOfItsOwn() throws {
        let file = Self.lines((0..<20_000).map { (id: "\($0)", section: "\($0)") })
        let outcome = try Self.imported(file, section: "g")
        #expect(outcome.snapshot.sectionCount == 20_000)
    }

    @Test func modelsAndTypesBeyondTheLimitsAreRefused() throws {
        let large = #"{"id":"a","text":"\#(String(repeating: "x", count: 1 << 20))"}"#
        let types = (0..<70).map { #"{"id":"\#($0)","type":"t\#($0)"}"# }
        let outcome = try Self.imported(Array(([large] + types).joined(separator: "\n").utf8))
        #expect(outcome.snapshot.itemCount == Snapshot.maximumTypes)
        #expect(outcome.summary.refused == 70 - Snapshot.maximumTypes + 1)
        #expect(outcome.summary.refusals.first?.description == "line 1: the item has more than 1 MiB")
    }
}

extension [Change] {
    /// The items that moved.
    fileprivate var movedItems: Int {
        reduce(0) { count, change in
            if case .move(let ids, _) = change.operation { return count + ids.count }
            return count
        }
    }
}

extension Snapshot {
    /// What a client knows that has read no models.
    fileprivate var outline: SnapshotContent {
        SnapshotContent(
            members: members,
            sections: orderedSections.map { section in
                .init(
                    content: section.content,
                    items: section.items().map { ItemContent(id: $0.id, type: $0.type, liked: nil, model: .empty) })
            })
    }
}
