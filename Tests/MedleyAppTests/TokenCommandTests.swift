import Dispatch
import EventLoop
import Foundation
import MedleyService
import Synchronization
import Testing

@testable import MedleyApp

/// The file of tokens as the command changes it and the server reads it.
@Suite struct TokenCommandTests {
    /// A folder of its own for each test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)").path
        var file: String { path + "/tokens" }
        var editor: TokenFileEditor { TokenFileEditor(path: file) }

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
        func makePipe() throws {
            let code = unsafe mkfifo(file, 0o600)
            try #require(code == 0)
        }
        func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
    }

    private func grant(_ name: String) -> Grant { Grant(name: name, right: .write, collections: [.all]) }

    @Test func aTokenIsAddedAndItsTextKeptNowhere() throws {
        let folder = try Folder()
        let first = try folder.editor.add(grant("phone"))
        let before = try folder.text()
        let second = try folder.editor.add(grant("tablet"))
        let text = try folder.text()
        #expect(text.hasPrefix(before))
        #expect(before.hasPrefix(TokenFile.heading))
        for token in [first, second] { #expect(!text.contains(token.suffix(43))) }
        #expect(try folder.editor.read().tokens.map(\.grant) == [grant("phone"), grant("tablet")])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aTokenIsRevokedAndTheRestStaysAsItIs() throws {
        let folder = try Folder()
        for name in ["a", "ab", "b"] { _ = try folder.editor.add(grant(name)) }
        let lines = try folder.text().split(separator: "\n", omittingEmptySubsequences: false)
        try folder.editor.revoke("a")
        #expect(try folder.text() == lines.filter { !$0.hasPrefix("a ") }.joined(separator: "\n"))
        #expect(throws: TokenFileEditor.Failure.self) { try folder.editor.revoke("a") }
        #expect(try folder.editor.read().tokens.map(\.grant.name) == ["ab", "b"])
    }

    @Test func aNameIsGivenOnceAndAMistakeIsLeftAsItIs() throws {
        let folder = try Folder()
        _ = try folder.editor.add(grant("phone"))
        let text = try folder.text()
        #expect(throws: TokenFileEditor.Failure.self) { try folder.editor.add(grant("phone")) }
        try folder.write(text + "nonsense")
        let failure = try #require(throws: TokenFileEditor.Failure.self) { try folder.editor.add(grant("tablet")) }
        #expect(failure.message.contains("tokens:5: a line has four parts"), "\(failure.message)")
        #expect(try folder.text() == text + "nonsense")
    }

    @Test func aFileWithoutAnEndOfLineIsAddedTo() throws {
        let folder = try Folder()
        _ = try folder.editor.add(grant("phone"))
        try folder.write(String(try folder.text().dropLast()))
        _ = try folder.editor.add(grant("tablet"))
        #expect(try folder.editor.read().tokens.map(\.grant.name) == ["phone", "tablet"])
    }

    @Test func aFileThatEveryoneMayWriteIsRefused() throws {
        let folder = try Folder()
        _ = try folder.editor.add(grant("phone"))
        try folder.editor.checkPermissions()
        #expect(throws: TokenFileEditor.Failure.self) {
            try TokenFileEditor(path: folder.file + "x").checkPermissions()
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: folder.file)
        #expect(throws: TokenFileEditor.Failure.self) { try folder.editor.checkPermissions() }
    }

    @Test(arguments: [
        [], ["new"], ["new", "a"], ["new", "a", "--right", "read"], ["new", "a", "--collections", "*"],
        ["new", "a", "--right", "owner", "--collections", "*"],
        ["new", "a", "--right", "read", "--collections", "a*b"],
        ["new", "-a", "--right", "read", "--collections", "*"],
        ["new", "a/b", "--right", "read", "--collections", "*"],
        ["new", "a", "b", "--right", "read", "--collections", "*"], ["list", "a"], ["list", "--right", "read"],
        ["revoke"], ["nonsense"], ["new", "a", "--right", "read", "--right", "read", "--collections", "*"],
        ["new", "a", "--right", "read", "--collections"],
        ["new", "a", "--right", "read", "--collections", "*", "--x", "y"],
    ])
    func mistakesAreRefusedAndMakeNoFile(arguments: [String]) throws {
        let folder = try Folder()
        #expect(TokenCommand.run(["--file", folder.file] + arguments, environment: [:]) == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.file))
    }

    @Test func theFileCanBeNamedByAVariable() throws {
        let folder = try Folder()
        let variables = ["MEDLEY_TOKEN_FILE": folder.file]
        let new = ["new", "a", "--right=read", "--collections", "mix,team-*"]
        #expect(TokenCommand.run(new, environment: variables) == 0)
        #expect(TokenCommand.run(new, environment: variables) == 1)
        #expect(TokenCommand.run(["list"], environment: variables) == 0)
        #expect(TokenCommand.run(["revoke", "a"], environment: variables) == 0)
        #expect(TokenCommand.run(["revoke", "a"], environment: variables) == 1)
        #expect(TokenCommand.run(["list"], environment: [:]) == 2)
        #expect(TokenCommand.run(["--help"], environment: [:]) == 0)
    }

    @Test func manyWhoAddAtOnceLoseNoToken() throws {
        for _ in 0..<20 {
            let folder = try Folder()
            let editor = folder.editor
            let names = (0..<8).map { "token-\($0)" }
            let added = Lines()
            DispatchQueue.concurrentPerform(iterations: names.count) { index in
                let grant = Grant(name: names[index], right: .write, collections: [.all])
                if (try? editor.add(grant)) != nil { added.add(names[index]) }
            }
            #expect(added.count == names.count)
            #expect(try editor.read().tokens.map(\.grant.name).sorted() == names)
            #expect(try folder.text().components(separatedBy: TokenFile.heading).count == 2)
        }
    }

    @Test func theFirstTokenIsAddedByOneOnly() throws {
        for _ in 0..<20 {
            let folder = try Folder()
            let editor = folder.editor
            let first = grant("first")
            let (added, failed) = (Lines(), Lines())
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                do { if let text = try editor.addFirst(first) { added.add(text) } } catch { failed.add("\(error)") }
            }
            #expect(added.count == 1 && failed.count == 0)
            #expect(try editor.read().tokens.map(\.grant) == [first])
        }
    }

    @Test func aFileIsReplacedAsAWhole() throws {
        let folder = try Folder()
        _ = try folder.editor.add(grant("phone"))
        let text = try folder.text()
        let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.file))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file)
        try folder.editor.revoke("phone")
        // Who reads the old file meanwhile reads all of it.
        #expect(try reader.readToEnd() == Data(text.utf8))
        #expect(try folder.text() == TokenFile.heading)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens"])
    }

    @Test func whatIsNoRegularFileIsRefusedAndNotWaitedFor() throws {
        let folder = try Folder()
        try folder.makePipe()
        for path in [folder.file, "/dev/null", folder.path] {
            let editor = TokenFileEditor(path: path)
            let works: [() throws -> Void] = [
                { _ = try editor.contents() }, { try editor.checkPermissions() }, { try editor.revoke("phone") },
                { _ = try editor.add(self.grant("phone")) },
            ]
            for work in works {
                let failure = try #require(throws: TokenFileEditor.Failure.self) { try work() }
                #expect(failure.message.hasSuffix("it is no regular file"), "\(failure.message)")
            }
        }
    }

    // MARK: A server that reads it

    private func watched(_ folder: Folder) throws -> (watcher: TokenWatcher, access: AccessControl, log: Lines) {
        let log = Lines()
        let bytes = try folder.editor.contents()
        let access = AccessControl(anonymous: nil, tokens: try folder.editor.parse(bytes), now: { 0 })
        return (TokenWatcher(folder.editor, bytes, access) { log.add($0) }, access, log)
    }

    @Test func aFileThatHasChangedCountsAtTheSecondLook() throws {
        let folder = try Folder()
        _ = try folder.editor.add(grant("phone"))
        let (watcher, access, log) = try watched(folder)
        watcher.look()
        let token = try folder.editor.add(grant("tablet"))
        watcher.look()
        #expect(!access.isInForce(token))
        watcher.look()
        #expect(access.isInForce(token))
        #expect(log.count == 1)
        // It is emptied and written anew, as editors do.
        let text = try folder.text()
        try folder.write("")
        watcher.look()
        try folder.write(text)
        watcher.look()
        watcher.look()
        #expect(access.isInForce(token))
        try folder.editor.revoke("tablet")
        watcher.look()
        watcher.look()
        #expect(!access.isInForce(token))
        #expect(log.count == 2)
    }

    @Test func aFileThatStaysTheSameIsReadNoMore() throws {
        let folder = try Folder()
        let token = try folder.editor.add(grant("phone"))
        let bytes = try folder.editor.contents()
        let access = AccessControl(anonymous: nil, tokens: try folder.editor.parse(bytes), now: { 0 })
        let (reads, log) = (Lines(), Lines())
        // By the clock the last change is to come, so that another need not show; later it was an hour ago.
        let offset = Mutex(-3_600_000)
        let watcher = TokenWatcher(
            folder.editor, bytes, access, now: { EventLoop.wallMilliseconds() + offset.withLock { $0 } },
            readsFile: { reads.add("") }, log: { log.add($0) })
        for number in 1...3 {
            watcher.look()
            #expect(reads.count == number)
        }
        offset.withLock { $0 = 3_600_000 }
        for _ in 0..<3 { watcher.look() }
        #expect(reads.count == 4)
        try folder.editor.revoke("phone")
        for _ in 0..<5 { watcher.look() }
        #expect(reads.count == 6)
        #expect(!access.isInForce(token))
        // The same of a file that cannot be used.
        try folder.write("nonsense\n")
        for _ in 0..<5 { watcher.look() }
        #expect(reads.count == 8 && log.count == 2)
        // A reload reads whatever the system says.
        watcher.reload()
        #expect(reads.count == 9 && log.count == 3)
    }

    @Test func aReloadCountsAtOnce() throws {
        let folder = try Folder()
        let token = try folder.editor.add(grant("phone"))
        let (watcher, access, _) = try watched(folder)
        try folder.editor.revoke("phone")
        #expect(access.isInForce(token))
        watcher.reload()
        #expect(!access.isInForce(token))
    }

    @Test func aFileThatCannotBeUsedChangesNothingAndIsToldOnce() throws {
        let folder = try Folder()
        let token = try folder.editor.add(grant("phone"))
        let (watcher, access, log) = try watched(folder)
        let text = try folder.text()
        for change in [
            { try folder.write("nonsense\n") }, { try FileManager.default.removeItem(atPath: folder.file) },
            { try folder.makePipe() },
        ] {
            let before = log.count
            try change()
            for _ in 0..<4 { watcher.look() }
            #expect(access.isInForce(token))
            #expect(log.count == before + 1)
            watcher.reload()
            #expect(access.isInForce(token))
            #expect(log.count == before + 2)
        }
        try FileManager.default.removeItem(atPath: folder.file)
        try folder.write(text)
        watcher.reload()
        #expect(access.isInForce(token))
    }
}

/// Lines of a log.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var count: Int { lines.withLock { $0.count } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
