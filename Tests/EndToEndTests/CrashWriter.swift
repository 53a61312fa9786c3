import JSONText
import MedleyJSON

@testable import MedleyCore

/// A client that edits its collections with everything that edits, one request after the other, each with a key.
// SAFETY: used from one thread at a time, the writer's own or, between two loads, the test's.
final class CrashWriter: @unchecked Sendable {
    private let number: Int
    private var views: [CrashView]
    /// The collections that others edit too.
    private let shared: Set<String>
    private var edits: RandomEdits
    private var generator: SeededGenerator
    private var count = 0
    private let history: CrashHistory

    init(_ number: Int, of collections: [String], shared: Set<String>, seed: UInt64, _ history: CrashHistory) {
        self.number = number
        views = collections.map { CrashView($0) }
        self.shared = shared
        edits = RandomEdits(seed: seed)
        generator = SeededGenerator(seed ^ 0x5EED)
        self.history = history
    }

    /// Edits until the connection breaks off; `onAnswer` is called after each answer.
    func run(over connection: ServerConnection, onAnswer: () -> Void) throws {
        for index in views.indices { try views[index].catchUp(over: connection, history) }
        while true {
            let index = Int.random(in: views.indices, using: &generator)
            // A copy of a shared collection may be old, as clients' copies are.
            if shared.contains(views[index].collection), generator.chance(60) {
                try views[index].catchUp(over: connection, history)
            }
            let edit = next(views[index])
            let answer: CrashAnswer
            do { answer = try edit.send(over: connection) } catch {
                history.unanswered(edit)
                throw error
            }
            try judge(answer, of: edit, at: index, over: connection)
            onAnswer()
        }
    }

    private func judge(
        _ answer: CrashAnswer, of edit: CrashEdit, at index: Int, over connection: ServerConnection
    ) throws {
        guard answer.isSuccess else {
            // Others may have deleted what the edit names, or made what it makes.
            if !shared.contains(edit.collection) || ![404, 409, 410, 422].contains(answer.status) {
                history.fail("\(edit): \(answer)")
            }
            history.refused()
            try views[index].catchUp(over: connection, history)
            return
        }
        history.answered(edit, answer)
        if answer.status == 204 {
            views[index].drop()
        } else if let changes = try? ChangeDecoder().changesAnswer(answer.body) {
            views[index].follow(changes)
            // The answer may start elsewhere: at `base`, or behind another's edit.
            let isShared = shared.contains(edit.collection)
            if !isShared, views[index].revision != changes.to { try views[index].catchUp(over: connection, history) }
        }
    }

    // MARK: Edits

    private func next(_ view: CrashView) -> CrashEdit {
        count += 1
        let key = "w\(number)-\(count)"
        func edit(_ method: String, _ path: String = "", _ body: [UInt8]? = nil) -> CrashEdit {
            CrashEdit(collection: view.collection, method: method, path: path, key: key, body: body)
        }
        guard let snapshot = view.replica?.snapshot else {
            return edit("PUT", "", replacement(of: NaiveCollection(), in: view.collection, key))
        }
        let collection = NaiveCollection(snapshot)
        if view.collection == "large", !collection.sections.isEmpty, generator.chance(60) {
            return edit("PATCH", "", PatchBody(changes: [largeItem(in: collection, key)]).encoded())
        }
        let item = collection.allItems.randomElement(using: &generator)?.id
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<2: return edit("DELETE")
        case ..<9: return edit("PUT", "", replacement(of: collection, in: view.collection, key))
        case ..<14:
            guard let item else { break }
            return edit("PATCH", "/items/\(item)", Array(#"{"liked":\#(generator.chance(50)),"note":"\#(key)"}"#.utf8))
        case ..<17:
            guard let item else { break }
            return edit("DELETE", "/items/\(item)")
        case ..<22 where !collection.sections.isEmpty:
            // The server makes the id, which a repetition must name again.
            return edit("PATCH", "", Array(#"{"changes":[{"op":"insert","items":[{"type":"music"}]}]}"#.utf8))
        case ..<30:
            // It always has an effect, so that its revision is its own though the answer starts at `base`.
            let known = snapshot.revision.number
            let base = Revision(
                lineage: snapshot.revision.lineage,
                number: UInt64.random(in: max(known, 6) - 5...known, using: &generator)
            )
            return edit("PATCH", "", PatchBody(base: base, changes: [mark(key)]).encoded())
        default: break
        }
        var changes = edits.request(on: collection)
        _ = edits.takePlaced()
        // Most edits leave a mark, so that no two revisions have the same content; the others may have no effect.
        if generator.chance(85) { changes.append(mark(key)) }
        return edit("PATCH", "", PatchBody(changes: changes).encoded())
    }

    /// A snapshot that differs a little from what is there.
    private func replacement(of collection: NaiveCollection, in id: String, _ key: String) -> [UInt8] {
        var next = collection
        for _ in 0..<(collection.sections.isEmpty ? 12 : 2) {
            for change in edits.request(on: next) { next.apply(change) }
        }
        next.apply(mark(key))
        // Within a snapshot an id that was deleted and came back is the same item, whose type stays.
        for section in next.sections.indices {
            for item in next.sections[section].items.indices {
                let id = next.sections[section].items[item].id
                if let type = collection.type(of: id) { next.sections[section].items[item].type = type }
            }
        }
        return next.json(id: id, revision: Revision(lineage: "ignored", number: 1))
    }

    /// One of a few items of 100 KB: a dozen such edits are as much as a store keeps before it writes all of the
    /// collection again, so that kills meet that too.
    private func largeItem(in collection: NaiveCollection, _ key: String) -> Change {
        let id = ItemID("large\(Int.random(in: 1...5, using: &generator))")
        let text = String(repeating: "\(key) ", count: 100_000 / (key.utf8.count + 1))
        let model = JSONMembers(trusted: Array("\"text\":\"\(text)\"".utf8))
        let type = collection.type(of: id) ?? ItemType("video")
        return Change(.upsert([ItemContent(id: id, type: type, liked: nil, model: model)], at: nil))
    }

    private func mark(_ key: String) -> Change {
        let name = Array("mark".utf8)
        let member = JSONMergePatch.Member(
            nameText: Array("\"mark\"".utf8), name: name, action: .set(Array("\"\(key)\"".utf8)))
        return Change(.updateCollection(JSONMergePatch(members: [member])))
    }
}
