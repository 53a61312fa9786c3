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
