import Testing

@testable import Journal

@Suite struct AnswerTableTests {
    private func key(_ value: String) -> IdempotencyKey { IdempotencyKey(caller: "", value: value, fingerprint: 0) }

    private func isKnown(_ table: AnswerTable, _ value: String) -> Bool {
        if case .answer = table.find(key(value), in: "c") { true } else { false }
    }

    @Test func answersAreKeptForADay() {
        var table = AnswerTable()
        table.keep(Answer(status: 200), under: key("a"), in: "c", at: 0)
        table.keep(Answer(status: 200), under: key("b"), in: "c", at: AnswerTable.lifetime)
        #expect(isKnown(table, "a"))
        table.keep(Answer(status: 200), under: key("d"), in: "c", at: AnswerTable.lifetime + 1)
        #expect(!isKnown(table, "a"))
        #expect(isKnown(table, "b"))
    }

    @Test func theOldestGoWhenTheyTakeTooMuchMemory() {
        var table = AnswerTable()
        let body = [UInt8](repeating: 0, count: AnswerTable.byteLimit / 10)
        for number in 0..<30 {
            table.keep(Answer(status: 200, body: body), under: key("\(number)"), in: "c", at: 0)
        }
        #expect(table.byteCount <= AnswerTable.byteLimit)
        #expect(!isKnown(table, "20"))
        #expect(isKnown(table, "29"))
        #expect((0..<30).count { isKnown(table, "\($0)") } == 9)
    }

    @Test func aKeyThatIsKeptAnewTakesNoMemoryTwiceAndStopsNoOther() {
        var table = AnswerTable()
        let body = [UInt8](repeating: 0, count: 1_000)
        table.keep(Answer(status: 200, body: body), under: key("a"), in: "c", at: 0)
        let once = table.byteCount
        table.keep(Answer(status: 201, body: body), under: key("a"), in: "c", at: 10)
        #expect(table.byteCount == once)
        table.keep(Answer(status: 200, body: body), under: key("b"), in: "c", at: 20)
        // Its first time is over, its second is not.
        table.keep(Answer(status: 200, body: body), under: key("d"), in: "c", at: AnswerTable.lifetime + 5)
        #expect(isKnown(table, "a"))
        table.keep(Answer(status: 200, body: body), under: key("e"), in: "c", at: 2 * AnswerTable.lifetime)
        #expect(!isKnown(table, "a") && !isKnown(table, "b"))
        #expect(table.byteCount == 2 * once)
    }
}
