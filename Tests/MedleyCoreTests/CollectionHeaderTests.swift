import JSONText
import Testing

@testable import MedleyCore

/// The collection's own members come to a client byte for byte, in their order.
@Suite struct CollectionHeaderTests {
    private static let values = ["1", "\"x\"", "{\"k\":1}", "{\"k\":1,\"l\":{\"m\":2}}", "[null]", "{}"]

    @Test("Any members lead to any others by the patches", arguments: 0..<30)
    func patches(run: UInt64) {
        let seed = SeededGenerator.seed &+ run
        print("MEDLEY_SEED=\(seed) run 0")
        var generator = SeededGenerator(seed)
        var header = CollectionHeader()
        var held: [(number: UInt64, text: JSONMembers)] = []
        for number in 1...20 as ClosedRange<UInt64> {
            var text = JSONMembers.empty
            for name in ["a", "b", "c", "d", "e"].shuffled(using: &generator).prefix(
                Int.random(in: 0...5, using: &generator))
            {
                let kept = generator.chance(60) ? header.text.value(of: name).map(Array.init) : nil
                text.append(
                    name: name, value: kept ?? Array((Self.values.randomElement(using: &generator) ?? "1").utf8))
            }
            header = header.updated(to: text, at: number)
            #expect(header.text == text)
            for old in held {
                let patches = header.patches(since: old.number)
                #expect(patches.reduce(old.text) { $1.applied(to: $0) } == text)
                #expect(patches.count <= 2)
            }
            held.append((number, text))
            #expect(header.patches(since: number).isEmpty)
        }
    }

    @Test func aTitleAloneIsOnePatch() {
        let title = JSONMembers(trusted: Array(#""title":"a","k":{"x":1}"#.utf8))
        let header = CollectionHeader().updated(to: title, at: 1)
            .updated(to: JSONMembers(trusted: Array(#""title":"b","k":{"x":1},"new":2"#.utf8)), at: 2)
        let patches = header.patches(since: 1)
        #expect(patches.count == 1)
        #expect(patches.first?.members.map { String(decoding: $0.name, as: UTF8.self) } == ["title", "new"])
    }
}
