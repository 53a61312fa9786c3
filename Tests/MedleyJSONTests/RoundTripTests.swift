import JSONText
import MedleyCore
import MedleyJSON
import Testing

@Suite struct RoundTripTests {
    /// The seed of this run, printed so that it can be run again.
    private func printedSeed() -> UInt64 {
        let seed = SeededGenerator.seed
        print("MEDLEY_SEED=\(seed)")
        return seed
    }

    @Test func everyChangeComesBackAsItWent() throws {
        let seed = printedSeed()
        var random = RandomChanges(generator: SeededGenerator(seed))
        var ops: Set<String> = []
        for round in 0..<2000 {
            let changes = try random.changes()
            let bytes = ChangeEncoder.encoded(changes)
            try JSONScanner.validate(bytes)
            #expect(try ChangeDecoder().changes(bytes) == changes, "MEDLEY_SEED=\(seed)")
            #expect(ChangeEncoder.encoded(changes, atMost: bytes.count) == bytes, "MEDLEY_SEED=\(seed)")
            #expect(ChangeEncoder.encoded(changes, atMost: bytes.count - 1) == nil, "MEDLEY_SEED=\(seed)")
            let answer = ChangesAnswer(
                from: round % 3 == 0 ? nil : Revision(lineage: "a1", number: UInt64(round)),
                to: Revision(lineage: "a1", number: UInt64(round + 1)), isReset: round % 3 == 0,
                changes: round % 5 == 0 ? nil : changes)
            #expect(try ChangeDecoder().changesAnswer(answer.encoded()) == answer, "MEDLEY_SEED=\(seed)")
            for change in changes {
                let opening = text(ChangeEncoder.encoded([change])).prefix { $0 != "," && $0 != "}" }
                ops.insert(String(opening))
            }
        }
        #expect(ops.count == 16, "each op was met")
    }

    @Test func aDamagedListIsRefusedOrReadAsAnother() throws {
        let seed = printedSeed()
        var random = RandomChanges(generator: SeededGenerator(seed))
        for _ in 0..<2000 {
            var bytes = ChangeEncoder.encoded(try random.changes())
            for _ in 0..<Int.random(in: 1...4, using: &random.generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random.generator)
                switch Int.random(in: 0..<3, using: &random.generator) {
                case 0: bytes.remove(at: index)
                case 1: bytes[index] = UInt8.random(in: 0...255, using: &random.generator)
                default: bytes.removeSubrange(index...)
                }
            }
            do throws(DecodingProblem) {
                let changes = try ChangeDecoder().changes(bytes)
                #expect(try ChangeDecoder().changes(ChangeEncoder.encoded(changes)) == changes, "MEDLEY_SEED=\(seed)")
            } catch {
                #expect((error.pointer == nil) == (error.code == .malformedJSON), "MEDLEY_SEED=\(seed)")
                #expect(error.offset.map { (0...bytes.count).contains($0) } ?? true, "MEDLEY_SEED=\(seed)")
            }
        }
    }
}
