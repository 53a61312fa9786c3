import Foundation
import JSONText
import MedleyCore
import MedleyJSON
import SQLite
import Testing

@testable import Journal

/// The rows of records and answers: what is in them, and what is read of them.
@Suite struct StoreRecordTests {
    private func store(_ folder: StoreFolder) throws -> OpenStore { try OpenStore(folder) }

    private func insert(_ item: ItemContent) -> Edit {
        Edit(collection: "c") { snapshot in
            let next = try? snapshot?.applying([Change(.insert([item], at: .first(in: "s1")))])
            return next.map { .publish($0, Answer(status: 200)) } ?? .keep(Answer(status: 404))
        }
    }

    @Test func anItemThatNoRequestMayBringTodayComesBack() throws {
        let folder = StoreFolder()
        var expected: [String: [String]] = [:]
        do {
            let store = try store(folder)
            var script = EditScript(seed: 1)
            store.submit(script.edit("c"))
            let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
            let model = "\"duration\":-1,\"url\":\"none\",\"deep\":\(deep)"
            let id = String(repeating: "i", count: 300) + "\u{7f}"
            let item = ItemContent(
                id: ItemID(id), type: ItemType("music"), liked: true, model: .init(trusted: Array(model.utf8)))
            guard case .answered(let answer, _) = store.submit(insert(item)), answer.status == 200 else {
                Issue.record("the item was not inserted")
                return
            }
            expected = store.histories
            try store.journal.close()
        }
        #expect(try StoreCheck.run(folder.path).damages == [])
        let again = try store(folder)
        #expect(again.histories == expected)
        #expect(again.library.snapshot(of: "c")?.itemCount == 7)
    }

    // MARK: Texts in parts

    @Test func textsTooLongForARowAreKeptInPartsAndComeBack() throws {
        let folder = StoreFolder()
        var script = EditScript(seed: 13)
        var expected: [String: [String]] = [:]
        var answers: [Answer] = []
        do {
            let store = try store(folder)
            try store.journal.perform { $0.longTextByteCount = 100 }
            store.submit(script.edit("c", key: "first"))
            for number in 0..<20 {
                let item = ItemContent(
                    id: ItemID("long\(number)"), type: ItemType("music"), liked: nil,
                    model: .titled(String(repeating: "é", count: 10 + 40 * number)))
                let key = IdempotencyKey(caller: "me", value: "\(number)", fingerprint: 1)
                let body = Array(repeating: UInt8(ascii: "b"), count: 30 * number)
                let edit = Edit(collection: "c", key: key) { snapshot in
                    let next = try? snapshot?.applying([Change(.insert([item], at: .first(in: "s1")))])
                    return next.map { .publish($0, Answer(status: 200, body: body)) } ?? .keep(Answer(status: 404))
                }
                if case .answered(let answer, _) = store.submit(edit) { answers.append(answer) }
            }
            store.submit(Edit(collection: "c") { _ in .remove(Answer(status: 204)) })
            store.submit(script.edit("c"))
            expected = store.histories
            try store.journal.perform { connection throws in
                let database = connection.database
                #expect(try database.integer("SELECT max(length(changes)) FROM records") ?? 0 <= 100)
                #expect(try database.integer("SELECT count(*) FROM records WHERE changes IS NULL") ?? 0 > 10)
                #expect(try database.integer("SELECT count(*) FROM answers WHERE body IS NULL") ?? 0 > 10)
                #expect(try database.integer("SELECT max(length(content)) FROM long_texts") == 100)
                #expect(try database.integer("SELECT max(part) FROM long_texts") ?? 0 > 5)
            }
            try store.journal.close()
        }
        #expect(try StoreCheck.run(folder.path).damages == [])
        let again = try store(folder)
        #expect(again.histories == expected)
        #expect(answers.count == 20)
        #expect(again.recovered.answers.dropFirst().map(\.answer) == answers)
    }

    @Test func aPartThatIsMissingIsDamage() throws {
        let folder = StoreFolder()
        do {
            let store = try store(folder)
            try store.journal.perform { $0.longTextByteCount = 100 }
            var script = EditScript(seed: 13)
            store.submit(script.edit("c"))
            try store.journal.perform { connection throws in
                try connection.database.execute("DELETE FROM long_texts WHERE part = 1")
            }
            try store.journal.close()
        }
        #expect(try StoreCheck.run(folder.path).damages.contains { $0.contains("record 1 of c") })
        #expect(throws: JournalError.self) { try OpenStore(folder) }
    }

    @Test func textsInPartsCountForTheNextCheckpoint() throws {
        let folder = StoreFolder()
        let store = try store(folder)
        var script = EditScript(seed: 13)
        store.submit(script.edit("c"))
        try store.journal.perform { $0.longTextByteCount = 100 }
        let job = try #require(
            try store.journal.perform { connection throws in
                connection.due.insert("c")
                return try connection.beginCheckpoint()
            })
        let title = String(repeating: "x", count: 5_000)
        store.submit(
            insert(ItemContent(id: ItemID("long"), type: ItemType("music"), liked: nil, model: .titled(title))))
        try store.journal.perform { connection throws in
            _ = try connection.finish(job, pieces: 0, byteCount: 0)
            #expect(connection.tails["c"]?.uncoveredRecords == 1)
            #expect(connection.tails["c"]?.uncoveredBytes ?? 0 > 5_000)
        }
    }

    // MARK: The checksum

    @Test func columnsCannotPassForOneAnother() {
        func checksum(_ add: (inout RowChecksum) -> Void) -> Int64 {
            var checksum = RowChecksum()
            add(&checksum)
            return checksum.value
        }
        let rows = [
            checksum { _ in },
            checksum { $0.add("") },
            checksum { $0.add(0) },
            checksum { $0.add("ab") },
            checksum { checksum in ["a", "b"].forEach { checksum.add($0) } },
            checksum { checksum in ["ab", ""].forEach { checksum.add($0) } },
            checksum { checksum in ["", "ab"].forEach { checksum.add($0) } },
            checksum { $0.add(0x6162) },
            checksum { $0.add(-1) },
            checksum { $0.add(Int64.max) },
        ]
        #expect(Set(rows).count == rows.count)
        // The form is that of docs/journal.md: another would make every store that there is a damaged one.
        #expect(
            checksum {
                $0.add(258); $0.add("é")
            } == Self.crc([1, 2, 1, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0xC3, 0xA9]))
    }

    private static func crc(_ bytes: [UInt8]) -> Int64 {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return Int64(~crc)
    }
}
