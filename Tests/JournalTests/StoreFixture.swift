import Foundation
import JSONText
import MedleyCore
import MedleyJSON
import Synchronization

@testable import Journal

/// A folder for a store, which goes with the object.
final class StoreFolder: Sendable {
    let path = NSTemporaryDirectory() + "medley-store-" + UUID().uuidString

    var databasePath: String { StoreDirectory.databasePath(in: path) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A store that is open, with the committer and the library over it.
struct OpenStore {
    /// Its files stay as long as it is open.
    let folder: StoreFolder
    let journal: SQLiteJournal
    let library: Library
    let committer: Committer
    let recovered: RecoveredState

    init(
        _ folder: StoreFolder, vfs: String? = nil, keptDeletions: Int = SQLiteJournal.mostDeletions,
        now: @escaping @Sendable () -> Int64 = { 1_000_000_000_000 }
    ) throws {
        self.folder = folder
        (journal, recovered) = try SQLiteJournal.open(folder.path, keptDeletions: keptDeletions, vfs: vfs, now: now)
        library = Library(recovered.snapshots)
        var limits = Committer.Limits()
        limits.keptDeletions = keptDeletions
        committer = Committer(
            library: library, journal: journal, answers: recovered.answers, limits: limits, now: { 0 })
    }

    /// Carries out edits, all handed in before the first is committed if the committer is slow, and returns their ends.
    @discardableResult
    func submit(_ edits: [Edit]) -> [EditResult] {
        let results = Mutex([EditResult?](repeating: nil, count: edits.count))
        for (index, edit) in edits.enumerated() {
            committer.submit(edit) { result in results.withLock { $0[index] = result } }
        }
        committer.waitUntilIdle()
        return results.withLock { $0 }.compactMap { $0 }
    }

    /// Carries out one edit.
    @discardableResult
    func submit(_ edit: Edit) -> EditResult { submit([edit]).first ?? .shuttingDown }

    /// The whole history of every collection, as text.
    var histories: [String: [String]] {
        Dictionary(uniqueKeysWithValues: library.all().map { ($0.collection, $0.snapshot.historyText) })
    }
}

extension Snapshot {
    /// The revision, the content, and the changes since every revision from which they can be told.
    var historyText: [String] {
        let content = String(decoding: ChangeEncoder.encoded(changesFromNothing()), as: UTF8.self)
        let changes = (oldestKnownNumber...revision.number).map { number in
            guard case .changes(let changes)? = self.changes(since: number) else { return "unknown" }
            return String(decoding: ChangeEncoder.encoded(changes), as: UTF8.self)
        }
        return [revision.description, String(oldestKnownNumber), content] + changes
    }
}

/// Makes edits of collections by chance, each allowed at the state that it finds.
struct EditScript {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func roll(_ bound: Int) -> Int {
        // SplitMix64
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }

    /// The next edit of a collection, which makes it if it is not there.
    mutating func edit(_ collection: String, key: String? = nil, canRemove: Bool = true) -> Edit {
        let (kind, first, second, word) = (roll(12), roll(1 << 20), roll(1 << 20), roll(1 << 20))
        let lineage = "l\(roll(1 << 30))"
        return Edit(
            collection: collection, key: key.map { IdempotencyKey(caller: "me", value: $0, fingerprint: UInt64(first)) }
        ) { snapshot in
            guard let snapshot else { return Self.creation(lineage) }
            if kind == 0, first % 7 == 0, canRemove { return .remove(Answer(status: 204)) }
            let items = snapshot.orderedSections.flatMap { Array($0.items()) }
            let change = Self.change(kind, first, second, word, items.map(\.id))
            do throws(ChangeError) {
                let next = try snapshot.applying([Change(change, ignoresMissing: true)])
                let answer = Answer(
                    status: 200, headers: [Answer.Header("Revision", "\(next.revision)")], body: Array("\(word)".utf8))
                return next.revision == snapshot.revision ? .keep(answer) : .publish(next, answer)
            } catch {
                return .keep(Answer(status: 409))
            }
        }
    }

    private static func creation(_ lineage: String) -> Decision {
        let sections = ["s1", "s2"].map { id in
            SnapshotContent.Section(
                content: SectionContent(id: SectionID(id), members: .titled("Section \(id)")),
                items: (0..<3).map { item("\(id)-\($0)", "new") })
        }
        let content = SnapshotContent(members: .titled("A collection"), sections: sections)
        guard let snapshot = try? Snapshot(lineage: lineage, content: content) else {
            return .keep(Answer(status: 409))
        }
        return .publish(snapshot, Answer(status: 201, body: Array("made".utf8)))
    }

    private static func item(_ id: String, _ title: String) -> ItemContent {
        ItemContent(id: ItemID(id), type: ItemType("music"), liked: nil, model: .titled(title))
    }

    private static func change(_ kind: Int, _ first: Int, _ second: Int, _ word: Int, _ ids: [ItemID])
        -> Change.Operation
    {
        let one = ids.isEmpty ? ItemID("none") : ids[first % ids.count]
        let other = ids.isEmpty ? ItemID("none") : ids[second % ids.count]
        switch kind {
        case 0...2: return .insert([item("i\(first)", "title \(word)")], at: .after(other, section: nil))
        case 3, 4: return .delete([one])
        case 5...7: return one == other ? .toggleLiked([one]) : .move([one], to: .after(other, section: nil))
        case 8, 9: return .toggleLiked([one])
        case 10:
            let patch = JSONMergePatch(
                members: [
                    .init(
                        nameText: Array("\"rating\"".utf8), name: Array("rating".utf8),
                        action: .set(Array("\(word)".utf8)))
                ])
            return .merge([one], ItemPatch(model: patch))
        default: return .moveSection([first % 2 == 0 ? "s1" : "s2"], to: .last)
        }
    }
}

/// An edit that inserts an item of 50,000 bytes at the start of a collection.
func largeInsert(_ number: Int, in collection: String) -> Edit {
    let text = String(repeating: "x", count: 50_000)
    return Edit(collection: collection) { snapshot in
        let item = ItemContent(
            id: ItemID("large\(number)"), type: ItemType("music"), liked: nil, model: .titled(text))
        let next = try? snapshot?.applying([Change(.insert([item], at: .first(in: "s1")))])
        return next.map { .publish($0, Answer(status: 200)) } ?? .keep(Answer(status: 404))
    }
}

extension JSONMembers {
    /// A title, and nothing else.
    static func titled(_ text: String) -> JSONMembers { JSONMembers(trusted: Array("\"title\":\"\(text)\"".utf8)) }
}
