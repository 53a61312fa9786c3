import Foundation
import Glibc
import Testing

/// What `medley token` leaves behind where it cannot write.
@Suite struct TokenFileFaultTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)")
    private var path: String { folder.appendingPathComponent("tokens").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func new(_ name: String, _ path: String) throws -> (status: Int32, text: String) {
        try ServedProcess.run(["token", "new", name, "--right", "read", "--collections", "*", "--file", path])
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func aWriteThatFailsLeavesTheOldFile() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in "abcdefghij" { #expect(try new("\(name)", path).status == 0) }
        let before = try text(path)
        try #require(before.utf8.count > 1_200)
        let command = try #require(ServedProcess.command).path
        // Files may have 1 KiB, and who writes more gets an error instead of a signal.
        for arguments in ["new x --right read --collections '*'", "revoke a"] {
            let succeeded = SmallDisk.run(
                "bash", "-c", "trap '' XFSZ; ulimit -f 1; exec '\(command)' token \(arguments) --file '\(path)'")
            #expect(!succeeded)
            #expect(try text(path) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens"])
        }
        // Nor is there an empty file where there was none.
        let other = folder.appendingPathComponent("other").path
        #expect(
            !SmallDisk.run(
                "bash", "-c",
                "trap '' XFSZ; ulimit -f 0; exec '\(command)' token new x --right read --collections '*' --file '\(other)'"
            ))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens"])
    }

    @Test(.enabled(if: SmallDisk.mayMount, "this process may not mount a file system"))
    func aFileThatIsMountedByItselfIsChangedInItsPlace() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = try #require(SmallDisk(megabytes: 1))
        defer { withExtendedLifetime(disk) {} }
        let source = disk.path + "/tokens"
        #expect(try new("a", source).status == 0)
        try Data().write(to: URL(fileURLWithPath: path))
        try #require(SmallDisk.run("mount", "--bind", source, path))
        defer { _ = SmallDisk.run("umount", path) }
        let first = try text(source)
        #expect(try new("b", path).status == 0)
        #expect(try text(source) != first)
        #expect(try text(source) == text(path))
        #expect(try ServedProcess.run(["token", "revoke", "b", "--file", path]).status == 0)
        #expect(try text(source) == first)
        // The next line begins in one block of the disk and ends in another, for which there is no room.
        let page = 4_096
        let padding = "#" + String(repeating: "x", count: page - first.utf8.count - 12) + "\n"
        let before = first + padding
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: source))
        try handle.write(contentsOf: Data(before.utf8))
        try handle.close()
        try disk.fill()
        #expect(try new("c", path).status == 1)
        #expect(try text(source) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens"])
    }
}
