import Foundation
import MedleyCore
import Testing

@testable import Journal

/// What happens to a store's files behind its back.
@Suite struct StoreFilesTests {
    private func isRefused(_ result: EditResult) -> Bool { if case .storageFailed = result { true } else { false } }

    /// A way to take files away, by the names in the folder, and whether they can be put back.
    @Test(arguments: ["medley.sqlite", "medley.sqlite-wal", "lock", ""])
    func editsAreRefusedWhenAFileWasTakenAwayAndGoOnWhenItIsBack(_ name: String) throws {
        let folder = StoreFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try OpenStore(folder)
        var script = EditScript(seed: 31)
        for _ in 0..<5 { store.submit(script.edit("c", canRemove: false)) }
        let expected = store.histories
        let path = name.isEmpty ? folder.path : folder.path + "/" + name
        try FileManager.default.moveItem(atPath: path, toPath: folder.path + ".aside")
        #expect(throws: JournalError.self) { try store.journal.checkFiles() }
        #expect(store.journal.isFailing)
        #expect(isRefused(store.submit(script.edit("c", canRemove: false))))
        #expect(store.histories == expected)

        try FileManager.default.moveItem(atPath: folder.path + ".aside", toPath: path)
        try store.journal.perform { try $0.probe() }
        #expect(!store.journal.isFailing)
        #expect(!isRefused(store.submit(script.edit("c", canRemove: false))))
        let after = store.histories
        try store.journal.close()
        #expect(try OpenStore(folder).histories == after)
    }

    @Test func editsAreRefusedWhenAFileWasReplaced() throws {
        let folder = StoreFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try OpenStore(folder)
        var script = EditScript(seed: 32)
        store.submit(script.edit("c"))
        let copy = try Data(contentsOf: URL(fileURLWithPath: folder.databasePath))
        try FileManager.default.removeItem(atPath: folder.databasePath)
        try copy.write(to: URL(fileURLWithPath: folder.databasePath))
        #expect(isRefused(store.submit(script.edit("c"))))
    }

    @Test func aLockThatIsALinkIsNotFollowed() throws {
        let folder = StoreFolder()
        defer { withExtendedLifetime(folder) {} }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let victim = folder.path + "/victim"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/lock", withDestinationPath: victim)
        #expect(throws: JournalError.self) { try SQLiteJournal.open(folder.path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("precious".utf8))
    }

    @Test func anInterruptedRestoreIsNotServedAsAnEmptyStore() throws {
        let folder = StoreFolder()
        defer { withExtendedLifetime(folder) {} }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: folder.databasePath + ".partial"))
        let error = #expect(throws: JournalError.self) { try SQLiteJournal.open(folder.path) }
        #expect(error?.message.contains("interrupted") == true)
        #expect(!StoreDirectory.holdsStore(folder.path))
    }

    // MARK: The log

    /// A store as a kill leaves it: database and log of a server that has committed so many edits.
    private func killed(_ edits: Int) throws -> StoreFolder {
        let (folder, copy) = (StoreFolder(), StoreFolder())
        let store = try OpenStore(folder)
        var script = EditScript(seed: 33)
        for _ in 0..<edits { store.submit(script.edit("c", canRemove: false)) }
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.databasePath + suffix, toPath: copy.databasePath + suffix)
        }
        return copy
    }

    private func log(_ folder: StoreFolder) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: folder.databasePath + "-wal"))
    }

    private static let frame = 24 + 4096

    @Test func aLogThatIsWholeOrTornAtItsEndIsNoDamage() throws {
        let folder = try killed(12)
        defer { withExtendedLifetime(folder) {} }
        let sound = try log(folder)
        let path = folder.databasePath + "-wal"
        #expect(try WriteAheadLog.damage(at: path) == nil)
        #expect(try WriteAheadLog.damage(at: folder.path + "/none") == nil)
        // What a power cut leaves: the end is missing, or half of the last frame is not there.
        for count in [0, 10, 32, sound.count - 1, sound.count - 2_000, sound.count - Self.frame] {
            try sound.prefix(count).write(to: URL(fileURLWithPath: path))
            #expect(try WriteAheadLog.damage(at: path) == nil, "\(count) bytes")
        }
        var torn = sound
        torn[sound.count - 100] ^= 1
        try torn.write(to: URL(fileURLWithPath: path))
        #expect(try WriteAheadLog.damage(at: path) == nil)
        _ = try OpenStore(folder)
    }

    /// A place in a frame: its page, its checksum, its page's number.
    @Test(arguments: [24 + 1_000, 17, 2])
    func aLogThatIsDamagedBeforeItsEndIsToldAndNotShortened(_ offset: Int) throws {
        let folder = try killed(20)
        defer { withExtendedLifetime(folder) {} }
        var rotten = try log(folder)
        let frames = (rotten.count - 32) / Self.frame
        rotten[32 + (frames / 2) * Self.frame + offset] ^= 1
        try rotten.write(to: URL(fileURLWithPath: folder.databasePath + "-wal"))
        let error = #expect(throws: JournalError.self) { try SQLiteJournal.open(folder.path) }
        #expect(error?.message.contains("frame \(frames / 2 + 1)") == true, "\(error?.message ?? "")")
        #expect(try log(folder) == rotten)
        #expect(try StoreCheck.run(folder.path).damages.contains { $0.contains("-wal") })
        #expect(throws: JournalError.self) { try StoreBackup.back(up: folder.path, to: folder.path + ".backup") }
        #expect(!FileManager.default.fileExists(atPath: folder.path + ".backup"))
        // What can be read comes back under a new lineage.
        let target = StoreFolder()
        defer { withExtendedLifetime(target) {} }
        #expect(try StoreBackup.restore(folder.path, to: target.path, makeLineage: { "new" }) == 1)
        #expect(try OpenStore(target).recovered.snapshots["c"]?.revision.lineage == "new")
    }
}
