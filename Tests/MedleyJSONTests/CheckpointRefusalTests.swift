import Testing

@testable import MedleyCore
@testable import MedleyJSON

/// A damaged checkpoint is refused with what is wrong, and never half restored.
@Suite struct CheckpointRefusalTests {
    private static let head = piece(
        .collection,
        #"{"format":1,"lineage":"l","number":9,"floor":2,"counts":{"members":1,"removedMembers":1,"sections":1,"#
            + #""items":2,"deletedItems":1,"deletedSections":1}}"#)
    private static let sound = [
        head,
        piece(.members, #"[[1,3,{"title":"T"}]]"#),
        piece(.removedMembers, #"[[4,"k"]]"#),
        piece(
            .sections,
            #"[{"section":[1,2,3,{"id":"s","title":""}],"items":[[1,1,1,{"id":"a","type":"music","liked":true}],"#
                + #"[2,5,4,{"id":"b","type":"video","liked":false,"m":1}]]}]"#),
        piece(.deletedItems, #"[[1,3,"x"]]"#),
        piece(.deletedSections, #"[[1,9,"t"]]"#),
    ]

    private static func piece(_ kind: CheckpointPiece.Kind, _ text: String) -> CheckpointPiece {
        CheckpointPiece(kind: kind, text: Array(text.utf8))
    }

    private func message(_ pieces: [CheckpointPiece]) -> String? {
        do {
            let snapshot = try CheckpointTests.restored(pieces)
            try snapshot.checkInvariants()
            return nil
        } catch let error as CheckpointError {
            return error.description
        } catch {
            return "another error: \(error)"
        }
    }

    @Test func theSoundOneIsAccepted() {
        #expect(message(Self.sound) == nil)
    }

    /// A kind of piece, a part of the sound text, what stands there instead, and what the message says.
    static let damages: [(CheckpointPiece.Kind, String, String, String)] = [
        (.collection, #""format":1"#, #""format":2"#, "format 2, which this version cannot read, at byte 10"),
        (.collection, #""number":9"#, #""number":0"#, "revision number 0 cannot be"),
        (.collection, #""number":9"#, #""number":18446744073709551615"#, "cannot be"),
        (.collection, #""number":9"#, #""number":18446744073709551616"#, "is no count"),
        (.collection, #""number":9"#, #""number":9.0"#, "9.0 is no count"),
        (.collection, #""number":9"#, #""number":-9"#, "-9 is no count"),
        (.collection, #""number":9"#, #""number":"9""#, "number expected, string found"),
        (.collection, #""floor":2"#, #""floor":0"#, "changes cannot be told from 0 on"),
        (.collection, #""floor":2"#, #""floor":10"#, "changes cannot be told from 10 on"),
        (.collection, #""floor""#, #""flor""#, "floor expected"),
        (.collection, #""items":2"#, #""items":3"#, "has 3 items, but 2 came"),
        (.collection, #""deletedSections":1"#, #""deletedSections":0"#, "has 0 deletedSections, but 1 came"),
        (.collection, "}}", "}", "ends"),
        (.collection, "}}", "}}}", "stands behind"),
        (.members, "[1,3,", "[0,3,", "placed at 0"),
        (.members, "[1,3,", "[4,3,", "placed at 4 and changed at 3"),
        (.members, "[1,3,", "[1,10,", "which cannot be at revision 9"),
        (.members, #""title":"T""#, "", "a member is missing"),
        (.members, #""title":"T""#, #""title":"T","a":1"#, "a is not expected"),
        (.members, "]]", #"],[1,1,{"t\u0069tle":1}]]"#, "twice"),
        (.removedMembers, "[4,", "[10,", "beyond revision 9"),
        (.removedMembers, "[4,", "[0,", "out of order"),
        (.removedMembers, "]]", #"],[3,"j"]]"#, "out of order"),
        (.removedMembers, "]]", #"],[5,"k"]]"#, "two latest removals"),
        (.sections, "[1,2,3,", "[3,2,3,", "the section s was created at 3"),
        (.sections, "[1,2,3,", "[1,2,10,", "cannot be at revision 9"),
        (.sections, "[1,2,3,", "[1,2,", "number expected, object found"),
        (.sections, "[1,2,3,", "[1,2,3,4,", "object expected"),
        (.sections, #""section""#, #""part""#, "items expected, part found"),
        (.sections, #""section":[1,2,3,{"id":"s","title":""}],"#, "", "the item a stands in no section"),
        (.sections, #","items""#, #","elements""#, "items expected"),
        (
            .sections, "]}]", #"]},{"section":[1,1,1,{"id":"s","title":""}],"items":[]}]"#,
            "the section s is there twice"
        ),
        (.sections, "[1,1,1,", "[0,1,1,", "the item a was created at 0"),
        (.sections, "[1,1,1,", "[2,1,2,", "the item a was created at 2"),
        (.sections, "[1,1,1,", "[2,2,1,", "the item a was created at 2"),
        (.sections, "[1,1,1,", "[1,1,10,", "changed at 10"),
        (.sections, "[1,1,1,", "[1,10,1,", "placed at 10"),
        (.sections, #""id":"b","type":"video""#, #""id":"a","type":"video""#, "the item a is there twice, with two"),
        (.sections, #""id":"b","type":"video""#, #""id":"a","type":"music""#, "the item a is there twice"),
        (.sections, #""id":"b","type""#, #""type":"video","id""#, "id expected"),
        (.sections, #""id":"b","#, "", "id expected"),
        (.sections, #""id":"b""#, #""id":7"#, "string expected, number found"),
        (.sections, #""video""#, #""Video""#, "Video is no type"),
        (.sections, #","liked":false"#, "", "liked expected"),
        (.sections, "false", "null", "bool expected, null found"),
        (.sections, #""m":1"#, #""m":1,"m":2"#, "twice, at byte"),
        (.sections, #""m":1"#, #""m":1,"id":"c""#, "twice, at byte"),
        (.sections, #""m":1"#, #""m":01"#, "at byte"),
        (.sections, #""m":1}"#, #""m":1},5"#, "a list is too long"),
        (.sections, "]}]", "]}", "at byte"),
        (.sections, "]}]", "", "at byte"),
        (.deletedItems, "[1,3,", "[3,3,", "the item x was created at 3 and deleted at 3"),
        (.deletedItems, "[1,3,", "[0,3,", "created at 0"),
        (.deletedItems, "[1,3,", "[1,10,", "deleted at 10"),
        (.deletedItems, #""x""#, #""b""#, "the item b exists since 2, but was deleted at 3"),
        (.deletedItems, "]]", #"],[1,2,"y"]]"#, "stands behind a deletion at 3"),
        (.deletedItems, #","x""#, "", "too short"),
        (.deletedSections, #""t""#, #""s""#, "the section s exists since 1, but was deleted at 9"),
        (.deletedSections, "[1,9,", "[9,9,", "the section t was created at 9 and deleted at 9"),
        (.deletedSections, "[1,9,", "[1,9", "at byte"),
    ]

    @Test("Each damage is refused, and the message says what", arguments: damages.indices)
    func damage(index: Int) throws {
        let (kind, old, new, expected) = Self.damages[index]
        let position = try #require(Self.sound.firstIndex { $0.kind == kind })
        let text = String(decoding: Self.sound[position].text, as: UTF8.self)
        let range = try #require(text.firstRange(of: old))
        var pieces = Self.sound
        pieces[position] = Self.piece(kind, text[..<range.lowerBound] + new + text[range.upperBound...])
        let said = try #require(message(pieces), "\(kind) with \(new) in place of \(old) was accepted")
        #expect(said.contains(expected), "\(kind) with \(new) in place of \(old)")
    }

    @Test func intervalsOfOneItemThatOverlapAreRefused() throws {
        var restorer = try SnapshotRestorer(revision: Revision(lineage: "l", number: 9), floor: 1)
        try restorer.addDeletion(of: "x" as ItemID, created: 1, deleted: 3)
        try restorer.addDeletion(of: "x" as ItemID, created: 3, deleted: 4)
        _ = try restorer.finish()
        try restorer.addDeletion(of: "x" as ItemID, created: 3, deleted: 5)
        do {
            _ = try restorer.finish()
            Issue.record("accepted")
        } catch {
            #expect(error.message == "the item x was created at 3, before it was deleted at 4")
        }
    }

    @Test func aPieceThatIsMissingOrThereTwiceIsNoticed() {
        for index in Self.sound.indices {
            var pieces = Self.sound
            pieces.remove(at: index)
            #expect(message(pieces) != nil, "without \(Self.sound[index].kind)")
            pieces = Self.sound
            pieces.append(Self.sound[index])
            #expect(message(pieces) != nil, "with \(Self.sound[index].kind) twice")
        }
        #expect(message([]) == "the checkpoint has no beginning")
    }

    @Test("A text that ends anywhere is refused with a place")
    func truncation() {
        for piece in Self.sound {
            for count in 0..<piece.text.count {
                do {
                    _ = try CheckpointDecoder.decode(piece.kind, Array(piece.text[..<count]))
                    Issue.record("\(count) bytes of \(piece.kind) were accepted")
                } catch {
                    #expect(error.offset != nil)
                }
            }
        }
    }

    @Test("A piece of one kind is none of another")
    func kinds() {
        for piece in Self.sound {
            for kind in CheckpointPiece.Kind.allCases where kind != piece.kind {
                // Deletions of items and of sections have one form.
                if [kind, piece.kind].allSatisfy({ $0 == .deletedItems || $0 == .deletedSections }) { continue }
                #expect(throws: CheckpointError.self) { try CheckpointDecoder.decode(kind, piece.text) }
            }
        }
    }
}
