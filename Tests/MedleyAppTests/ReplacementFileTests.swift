import EventLoop
import Foundation
import Testing

@Suite struct ReplacementFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-replacement-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    private func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }
    private func remove() { try? FileManager.default.removeItem(at: folder) }
    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    @Test func aNewFileIsThereWhenItIsWhole() throws {
        defer { remove() }
        let file = try ReplacementFile(replacing: path("a"))
        try file.write(Array("one ".utf8))
        try file.write(Array("two".utf8))
        #expect(text("a") == nil && names.count == 1)
        try file.commit()
        #expect(text("a") == "one two" && names == ["a"])
        #expect(try mode("a") == 0o666 & ~Self.mask)
    }

    /// The process's mask, which files that are made are told by.
    private static let mask: Int = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { Int($0.dropFirst(6).filter(\.isNumber), radix: 8) } ?? 0o022
    }()

    @Test(arguments: [0o600, 0o640, 0o664, 0o755])
    func aFileThatIsReplacedKeepsItsMode(mode: Int) throws {
        defer { remove() }
        #expect(FileManager.default.createFile(atPath: path("a"), contents: Data("before".utf8)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path("a"))
        let file = try ReplacementFile(replacing: path("a"))
        try file.write(Array("after".utf8))
        #expect(text("a") == "before")
        try file.commit()
        #expect(text("a") == "after" && names == ["a"])
        #expect(try self.mode("a") == mode)
    }

    @Test func whatIsGivenUpLeavesNothing() throws {
        defer { remove() }
        try Data("before".utf8).write(to: URL(fileURLWithPath: path("a")))
        let discarded = try ReplacementFile(replacing: path("a"))
        try discarded.write([1, 2, 3])
        discarded.discard()
        #expect(names == ["a"])
        // A writer that did not notice goes on.
        try discarded.write([4])
        try discarded.commit()
        #expect(text("a") == "before" && names == ["a"])
        do {
            let forgotten = try ReplacementFile(replacing: path("a"))
            try forgotten.write([1])
            #expect(names.count == 2)
        }
        #expect(text("a") == "before" && names == ["a"])
    }

    @Test func aLinkStaysAndItsFileIsReplaced() throws {
        defer { remove() }
        try FileManager.default.createDirectory(atPath: path("d"), withIntermediateDirectories: true)
        try Data("before".utf8).write(to: URL(fileURLWithPath: path("d/a")))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "d/a")
        let file = try ReplacementFile(replacing: path("link"))
        try file.write(Array("after".utf8))
        try file.commit()
        #expect(text("d/a") == "after")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "d/a")
        #expect(names == ["d", "link"])
    }

    @Test func whatIsNoFileIsWrittenTo() throws {
        let file = try ReplacementFile(replacing: "/dev/null")
        try file.write(Array("gone".utf8))
        try file.commit()
        file.discard()
        let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(kind == .typeCharacterSpecial)
    }

    @Test func whatCannotBeReplacedIsToldInTheSystemsWords() throws {
        defer { remove() }
        try Data("before".utf8).write(to: URL(fileURLWithPath: path("a")))
        for (name, words) in [
            ("", "Is a directory"), ("a/b", "Not a directory"), ("no/b", "No such file or directory"),
        ] {
            #expect {
                _ = try ReplacementFile(replacing: path(name))
            } throws: {
                "\($0)" == words
            }
        }
        #expect(names == ["a"])
    }
}
