import MedleyCore
import Testing

/// The model of the crash trial sees what a store must never do.
@Suite struct CrashModelTests {
    private static let creation = (
        201,
        #"{"from":null,"to":"l-1","reset":true,"changes":[{"op":"insertSection","sections":[{"id":"s","title":""}],"after":null},{"op":"updateCollection","set":{"title":""}}]}"#
    )

    private static func insertion(_ id: String, from: Int, to: Int) -> (Int, String) {
        (
            200,
            #"{"from":"l-\#(from)","to":"l-\#(to)","changes":[{"op":"insert","items":[{"id":"\#(id)","type":"music","liked":false}],"section":"s","after":null}]}"#
        )
    }

    /// A model that took answers, and what was wrong with them.
    private static func model(_ answers: [(Int, String)]) -> (model: CrashModel, findings: [String]) {
        var model = CrashModel("c")
        var findings: [String] = []
        for (status, body) in answers {
            let edit = CrashEdit(collection: "c", method: "PATCH", key: "k", body: nil)
            let reply = TestClient.Reply(status: status, fields: [], body: Array(body.utf8))
            if let finding = model.add(edit, CrashAnswer(reply)) { findings.append(finding) }
        }
        findings += model.advance() + model.gaps
        return (model, findings)
    }

    @Test func answersInAnyOrderMakeEveryState() throws {
        let answers = [
            Self.insertion("b", from: 1, to: 3), Self.creation, Self.insertion("a", from: 1, to: 2),
            (200, #"{"from":"l-3","to":"l-3","changes":[]}"#),
        ]
        let (model, findings) = Self.model(answers)
        #expect(findings == [])
        #expect(model.exists == true)
        let json = try #require(model.json(at: Revision(lineage: "l", number: 2)))
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"id":"c","title":"","revision":"l-2","counts":{"sections":1,"items":1},"types":{"music":1},"sections":[{"id":"s","title":"","items":[{"id":"a","type":"music","liked":false}]}]}"#
        )
        // The answer to 3 started at 1, as one with `base` may.
        #expect(model.json(at: Revision(lineage: "l", number: 3)) != nil)
        #expect(model.json(at: Revision(lineage: "l", number: 4)) == nil)
        #expect(model.json(at: Revision(lineage: "m", number: 1)) == nil)
    }

    @Test(arguments: [
        ("no edit made l-2", [creation, insertion("a", from: 2, to: 3)]),
        ("no edit made l-1", [insertion("a", from: 1, to: 2)]),
        ("two edits made l-2", [creation, insertion("a", from: 1, to: 2), insertion("b", from: 1, to: 2)]),
        ("no creation", [creation, creation]),
        ("do not apply", [creation, insertion("a", from: 1, to: 2), insertion("a", from: 2, to: 3)]),
        ("an edit led from", [creation, insertion("a", from: 2, to: 2), insertion("a", from: 7, to: 2)]),
        ("no answer", [creation, (200, "{}")]),
    ])
    func whatDoesNotFitTogetherIsFound(finding: String, answers: [(Int, String)]) {
        #expect(Self.model(answers).findings.contains { $0.contains(finding) })
    }

    @Test func aLineageThatEndedTakesNoMoreEdits() {
        var (model, _) = Self.model([Self.creation])
        model.end(allBut: nil)
        #expect(model.ended == ["l": 1])
        for (status, body) in [Self.creation, Self.insertion("a", from: 1, to: 2)] {
            let edit = CrashEdit(collection: "c", method: "PUT", key: "k", body: nil)
            let reply = TestClient.Reply(status: status, fields: [], body: Array(body.utf8))
            #expect(model.add(edit, CrashAnswer(reply)) != nil)
        }
    }

    @Test(arguments: [([201], true), ([201, 204], false), ([201, 204, 204], nil), ([], false)])
    func creationsAndDeletionsSayWhetherItExists(statuses: [Int], exists: Bool?) {
        let (model, _) = Self.model(statuses.map { $0 == 201 ? Self.creation : ($0, "") })
        #expect(model.exists == exists)
    }
}
