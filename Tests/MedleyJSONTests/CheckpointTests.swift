import JSONText
import Testing

@testable import MedleyCore
@testable import MedleyJSON

/// A checkpoint gives back the snapshot and all that it knows of its past.
@Suite struct CheckpointTests {
    static func restored(_ pieces: some Sequence<CheckpointPiece>) throws -> Snapshot {
        var decoder = CheckpointDecoder()
        for piece in pieces { try decoder.add(CheckpointDecoder.decode(piece.kind, piece.text)) }
        return try decoder.finish()
    }

    @Test("A checkpoint gives back the same history, now and after further edits", arguments: 0..<4)
    func roundTrip(run: UInt64) throws {
        let seed = SeededGenerator.seed &+ run
        print("MEDLEY_SEED=\(seed) run 0")
        var chain = try EditChain(seed: seed)
        for _ in 0..<80 { _ = try chain.edit() }
        if run.isMultiple(of: 2) { chain.snapshot = chain.snapshot.keepingDeletions(atMost: 25) }
        for size in [1, 60, 300, 256 << 10] {
            let pieces = Array(CheckpointEncoder(chain.snapshot, pieceByteCount: size))
            let restored = try Self.restored(pieces)
            try restored.checkInvariants()
            expectSameHistory(chain.snapshot, restored)
            // The same text again: nothing was lost that a checkpoint holds.
            #expect(Array(CheckpointEncoder(restored, pieceByteCount: size)) == pieces)
        }
        var restored = try Self.restored(CheckpointEncoder(chain.snapshot, pieceByteCount: 100))
        for step in 1...100 {
            let edit = chain.randomEdit()
            chain.snapshot = try edit(chain.snapshot)
            restored = try edit(restored)
            try restored.checkInvariants()
            if step.isMultiple(of: 10) { expectSameHistory(chain.snapshot, restored) }
        }
    }

    @Test("Pieces are no larger than asked for, save for one entry that is", arguments: [1, 50, 200, 1000, 5000])
    func sizes(size: Int) throws {
        print("MEDLEY_SEED=\(SeededGenerator.seed)")
        var chain = try EditChain(seed: SeededGenerator.seed)
        for _ in 0..<60 { _ = try chain.edit() }
        var sections = 0
        for piece in CheckpointEncoder(chain.snapshot, pieceByteCount: size) where piece.kind != .collection {
            try JSONScanner.validate(piece.text)
            guard case .sections(let runs) = try CheckpointDecoder.decode(piece.kind, piece.text).content else {
                continue
            }
            sections += 1
            #expect(!runs.isEmpty)
            #expect(runs.dropFirst().allSatisfy { $0.section != nil }, "only the first may go on")
            let entries = runs.reduce(0) { $0 + ($1.section == nil ? 0 : 1) + $1.items.count }
            #expect(piece.text.count <= size + 4 || entries == 1, "\(piece.text.count) bytes")
        }
        #expect(size > 200 || sections > 1)
    }

    @Test func aCheckpointCanBeRead() throws {
        let content = SnapshotContent(
            members: Build.members(#""title":"Mix","k":{"x":1}"#),
            sections: [
                SnapshotContent.Section(
                    content: SectionContent(id: "v\"", members: Build.members(#""title":"Video","n":1.10"#)),
                    items: [Build.item("a", #""m":1e400,"é":"\u00e9""#, liked: true), Build.item("b")]),
                SnapshotContent.Section(content: Build.section("w"), items: []),
            ])
        let snapshot = try Snapshot(lineage: "l", content: content)
            .after(.delete(["b"]), .move(["a"], to: .last(in: "w")), .toggleLiked(["a"]))
            .after(
                .deleteSection(["v\""]),
                .updateCollection(
                    JSONMergePatch(members: [.init(nameText: Array("\"k\"".utf8), name: [0x6B], action: .remove)])))
        let pieces = Array(CheckpointEncoder(snapshot))
        #expect(
            pieces.map { "\($0.kind): \(String(decoding: $0.text, as: UTF8.self))" } == [
                #"collection: {"format":1,"lineage":"l","number":3,"floor":1,"counts":{"members":1,"removedMembers":1,"#
                    + #""sections":1,"items":1,"deletedItems":1,"deletedSections":1}}"#,
                #"members: [[1,1,{"title":"Mix"}]]"#,
                #"removedMembers: [[3,"k"]]"#,
                #"sections: [{"section":[1,1,1,{"id":"w","title":""}],"items":[[1,2,2,{"id":"a","type":"music","#
                    + #""liked":false,"m":1e400,"é":"\u00e9"}]]}]"#,
                #"deletedItems: [[1,2,"b"]]"#,
                #"deletedSections: [[1,3,"v\""]]"#,
            ])
        let restored = try Self.restored(pieces)
        #expect(restored.item("a")?.model == snapshot.item("a")?.model)
    }

    @Test("White space between tokens, as an editor leaves it, changes nothing")
    func whiteSpace() throws {
        let piece = Array(
            """
            [ { "section" : [ 1, 1, 1, { "id" : "s" , "title" : "a b" } ], "items" : [
              [ 1, 1, 1, { "id" : "a", "type" : "music", "liked" : true , "m" : [ 1 , "x  y" ] , "n" : { } } ],
              [ 1, 1, 1, { "id" : "b", "type" : "music", "liked" : false } ] ] } ]
            """.utf8)
        guard case .sections(let runs) = try CheckpointDecoder.decode(.sections, piece).content else { return }
        var restorer = try SnapshotRestorer(revision: Revision(lineage: "l", number: 1), floor: 1)
        let section = try #require(runs.first?.section)
        try restorer.addSection(section.content, section.stamps)
        for item in runs[0].items { try restorer.addItem(item) }
        let snapshot = try restorer.finish()
        #expect(snapshot.section("s")?.members == Build.members(#""title":"a b""#))
        #expect(snapshot.item("a")?.model == Build.members(#""m":[1,"x  y"],"n":{}"#))
        #expect(snapshot.item("b")?.model == .empty)
    }

    @Test("What was accepted before a limit existed comes back")
    func beyondLimits() throws {
        let base = try Build.snapshot(["s": []])
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let large = String(repeating: "x", count: Snapshot.maximumModelByteCount)
        let ids = ["", "\u{1}\"\\\u{7F}", String(repeating: "i", count: 5000), "e\u{301}", "\u{e9}"].map { ItemID($0) }
        let items = ids.enumerated().map { index, id in
            Build.item(
                id, "\"url\":7,\"duration\":-1,\"m\":\(index == 0 ? deep : index == 1 ? "\"\(large)\"" : "null")")
        }
        let types = (0..<100).compactMap { ItemType("t\($0)") }.map { type in
            ItemContent(id: ItemID(type.name), type: type, liked: nil, model: .empty)
        }
        let snapshot = try base.replaying([Change(.insert(items + types, at: .last(in: nil)))])
        let restored = try Self.restored(CheckpointEncoder(snapshot, pieceByteCount: 1000))
        try restored.checkInvariants()
        expectSameHistory(snapshot, restored)
    }
}
