import Foundation

/// A small file system in memory; `nil` where the process may not mount one.
final class SmallDisk: Sendable {
    let path = NSTemporaryDirectory() + "medley-disk-" + UUID().uuidString

    /// Whether the process may mount a file system.
    static let mayMount = SmallDisk(megabytes: 1) != nil

    init?(megabytes: Int) {
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "medley", path) else {
            try? FileManager.default.removeItem(atPath: path)
            return nil
        }
    }

    deinit {
        _ = Self.run("umount", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Has something else take all that is left but so many bytes.
    func fill(leaving bytes: Int = 0) throws {
        let room = try FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize]
        let free = (room as? NSNumber)?.intValue ?? 0
        try Data(count: max(0, free - bytes)).write(to: URL(fileURLWithPath: path + "/filler"))
    }

    /// Runs a command to its end; says whether it succeeded.
    static func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
