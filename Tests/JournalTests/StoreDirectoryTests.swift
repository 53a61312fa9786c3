import Foundation
import MedleyCore
import Synchronization
import Testing

@testable import Journal

/// The folder of a store: who may read it, who has it, and whether its name lasts.
@Suite struct StoreDirectoryTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    @Test func nobodyButTheOwnerMayReadWhatIsKept() throws {
        let (folder, target) = (StoreFolder(), StoreFolder())
        // A folder that somebody else has made may be open to all; the files in it are not.
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let store = try OpenStore(folder)
        var script = EditScript(seed: 1)
        store.submit(script.edit("c"))
        let backup = folder.path + "/backup"
        try StoreBackup.back(up: folder.path, to: backup)
        _ = try StoreBackup.restore(backup, to: target.path, makeLineage: { "new" })
        let private0600 = [
            folder.databasePath, folder.databasePath + "-wal", folder.databasePath + "-shm", backup,
            target.databasePath, target.path + "/lock",
        ]
        for path in private0600 { #expect(try mode(path) == 0o600, "\(path)") }
        #expect(try mode(target.path) == 0o700)
        withExtendedLifetime(store) {}
    }

    @Test func aFileThatIsThereIsNotMadeAnew() throws {
        let folder = StoreFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try StoreDirectory.makePrivateFile(folder.databasePath)
        try Data("text".utf8).write(to: URL(fileURLWithPath: folder.databasePath))
        try StoreDirectory.makePrivateFile(folder.databasePath)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.databasePath)) == Data("text".utf8))
        #expect(throws: JournalError.self) { try StoreDirectory.makePrivateFile(folder.path + "/none/file") }
    }

    @Test func whatOthersHaveRightsToIsNamed() throws {
        let folder = StoreFolder()
        do { _ = try OpenStore(folder) }
        #expect(StoreDirectory.openToOthers(folder.path) == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder.path)
        #expect(StoreDirectory.openToOthers(folder.path) == [folder.path])
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: folder.databasePath)
        #expect(StoreDirectory.openToOthers(folder.path) == [folder.path, folder.databasePath])
    }

    @Test func theNamesOfNewFoldersAreSynced() throws {
        let folder = StoreFolder()
        var synced: [String] = []
        do { _ = try StoreDirectory(folder.path + "/a/b") { synced.append($0) } }
        #expect(synced == [folder.path + "/a", folder.path, StoreDirectory.parent(of: folder.path)])
        synced = []
        do { _ = try StoreDirectory(folder.path + "/a/b") { synced.append($0) } }
        #expect(synced == [])
        #expect(throws: JournalError.self) {
            _ = try StoreDirectory(folder.path + "/c") { _ in throw JournalError("the disk is broken") }
        }
    }

    @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/", "a"), ("/a//b", "/a"), ("/", "/"), ("", ".")])
    func aParentIsFoundForEveryForm(_ path: String, _ parent: String) {
        #expect(StoreDirectory.parent(of: path) == parent)
    }

    @Test(arguments: [true, false])
    func theLockNamesNobodyOnceTheFolderIsFree(_ isReleased: Bool) throws {
        let folder = StoreFolder()
        let lock = URL(fileURLWithPath: folder.path + "/lock")
        do {
            let directory = try StoreDirectory(folder.path)
            #expect(try String(contentsOf: lock, encoding: .utf8) == "\(ProcessInfo.processInfo.processIdentifier)\n")
            if isReleased {
                directory.release()
                // Its end must not take the lock from whoever has it next.
                let next = try StoreDirectory(folder.path)
                directory.release()
                #expect(try !Data(contentsOf: lock).isEmpty)
                #expect(throws: JournalError.self) { try StoreDirectory(folder.path) }
                next.release()
            }
        }
        #expect(try Data(contentsOf: lock).isEmpty)
    }
}
