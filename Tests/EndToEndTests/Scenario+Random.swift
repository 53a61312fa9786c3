import MedleyJSON

@testable import MedleyCore

extension Scenario {
    /// A scenario that a seed repeats: everything that can happen to a collection, in a fixed order, with random edits
    /// between.
    static func random(seed: UInt64) throws -> Scenario {
        var writer = Writer(seed: seed)
        try writer.write()
        return Scenario(
            title:
                "Random edits; a server killed, restored from a backup; a collection deleted and made anew (seed \(seed))",
            collection: "c", steps: writer.steps)
    }

    private struct Writer {
        var steps: [Step] = []
        private var edits: RandomEdits
        private var generator: SeededGenerator
        private var state = Snapshot(emptyOf: "none")

        init(seed: UInt64) {
            edits = RandomEdits(seed: seed)
            generator = SeededGenerator(seed ^ 0x5CE4)
        }

        mutating func write() throws {
            steps = [.follow]
            try create()
            try edit(about: 12)
            steps.append(.settle)
            try edit(about: 12)
            steps += [.kill, .start]
            try edit(about: 8)
            steps += [.kill, .start, .settle, .backup("first")]
            let kept = state
            try edit(about: 12)
            // One client has seen what the backup has not; the other may be behind.
            steps.append(.settle)
            try edit(about: 6)
            steps += [.follow, .kill, .restore("first"), .start]
            state = kept
            try edit(about: 12)
            steps.append(.settle)
            try replace()
            try edit(about: 4)
            steps += [.settle, .delete, .settle]
            try create()
            try edit(about: 8)
            steps.append(.settle)
            // Deleted and made anew before a client need have noticed.
            steps.append(.delete)
            try create()
            try edit(about: 6)
            steps += [.kill, .start, .delete, .kill, .start, .follow]
            try create()
            try edit(about: 12)
            steps.append(.settle)
        }

        private mutating func create() throws {
            state = Snapshot(emptyOf: "none")
            for _ in 0..<4 { state = try state.applying(edits.request(on: NaiveCollection(state))) }
            let content = content(of: NaiveCollection(state))
            state = try Snapshot(lineage: "none", content: content)
            steps.append(.create(content))
        }

        private mutating func replace() throws {
            let content = edits.replacement(of: NaiveCollection(state))
            state = try state.replacing(with: content)
            steps.append(.replace(content))
        }

        private mutating func edit(about count: Int) throws {
            for _ in 0..<Int.random(in: count / 2...count * 3 / 2, using: &generator) {
                let changes = edits.request(on: NaiveCollection(state))
                state = try state.applying(changes)
                steps.append(.edit(changes))
                if generator.chance(5) { steps.append(.settle) }
            }
        }

        private func content(of collection: NaiveCollection) -> SnapshotContent {
            SnapshotContent(
                members: collection.members,
                sections: collection.sections.map { section in
                    SnapshotContent.Section(
                        content: SectionContent(id: section.id, members: section.members),
                        items: section.items.map {
                            ItemContent(id: $0.id, type: $0.type, liked: $0.liked, model: $0.model)
                        })
                })
        }
    }
}
