import Foundation
import Glibc

/// The folder of a store: where its files are, and the lock that keeps a second process out.
package final class StoreDirectory: Sendable {
    /// The folder's path, as it was given.
    package let path: String
    private let lock: FileHandle

    /// The database's path.
    package var databasePath: String { Self.databasePath(in: path) }

    /// The path of the database in a store's folder.
    package static func databasePath(in directory: String) -> String { directory + "/medley.sqlite" }

    /// The path of the file that keeps a second process out.
    static func lockPath(in directory: String) -> String { directory + "/lock" }

    /// Whether there is a store in a folder.
    package static func holdsStore(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: databasePath(in: path))
    }

    /// The database that a path means: a store's folder, or a file such as a backup.
    ///
    /// - Throws: `JournalError` if there is neither.
    static func database(at path: String) throws(JournalError) -> String {
        if holdsStore(path) { return databasePath(in: path) }
        guard let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType else {
            throw JournalError("there is no \(path)")
        }
        if type == .typeDirectory { throw JournalError("there is no store in \(path)") }
        return path
    }

    /// A path that means the same wherever it is used: Foundation would take a `~` at its beginning for somebody's home.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Takes a folder for this process, until the object goes; makes it, for its owner only, if it is not there, and its
    /// name durable.
    ///
    /// - Parameter sync: makes the names in a folder durable.
    /// - Throws: `JournalError` if another process has it, or it cannot be written.
    package init(
        _ path: String, sync: (String) throws -> Void = { try StoreDirectory.sync($0) }
    ) throws(JournalError) {
        self.path = path
        do { try Self.makeFolder(path, sync) } catch let error as JournalError { throw error } catch {
            throw JournalError("cannot make the folder \(path): \(Self.reason(error))")
        }
        let lockPath = Self.lockPath(in: path)
        // A link would have another file emptied.
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: lockPath)) != nil {
            throw JournalError("\(lockPath) is a link; take it away")
        }
        try? Self.makePrivateFile(lockPath)
        guard let handle = FileHandle(forUpdatingAtPath: lockPath) else {
            throw JournalError("cannot write in the folder \(path)")
        }
        // The lock is the process's hold on the open file: it ends with the process, however that ends.
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = (try? handle.readToEnd()).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } ?? ""
            let process = holder.isEmpty ? "another process" : "process \(holder.filter(\.isNumber))"
            throw JournalError("the folder \(path) is in use by \(process)")
        }
        lock = handle
        do {
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data("\(ProcessInfo.processInfo.processIdentifier)\n".utf8))
        } catch {
            // Who holds the lock is a courtesy to the second process; a full disk must not keep the store from being read.
        }
    }

    deinit { release() }

    /// Lets other processes have the folder before the object goes. Once more does nothing.
    func release() {
        // Emptied first: afterwards another process may have written its own number.
        try? lock.truncate(atOffset: 0)
        try? lock.close()
    }

    /// The folder and its database, as far as others than their owner have any right to them.
    package static func openToOthers(_ path: String) -> [String] {
        [path, databasePath(in: path)].filter { path in
            let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            return (mode?.intValue ?? 0) & 0o077 != 0
        }
    }

    // MARK: Files

    /// Makes an empty file that only its owner may read or write, and its name durable; leaves one that is there alone.
    static func makePrivateFile(_ path: String) throws {
        do {
            // Never a rename over a file that another process has made meanwhile, and may have locked.
            try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            if FileManager.default.fileExists(atPath: path) { return }
            throw JournalError("cannot make \(path): \(reason(error))")
        }
        try sync(parent(of: path))
    }

    /// Makes the names in a folder durable.
    package static func sync(_ path: String) throws {
        guard let folder = FileHandle(forReadingAtPath: path) else { throw JournalError("cannot open \(path)") }
        guard fsync(folder.fileDescriptor) == 0 else { throw JournalError("cannot sync \(path)") }
    }

    /// The folder that a path is in.
    static func parent(of path: String) -> String {
        let name = path.trimmingSuffix { $0 == "/" }
        guard let slash = name.lastIndex(of: "/") else { return name.isEmpty && !path.isEmpty ? "/" : "." }
        let parent = name[..<slash].trimmingSuffix { $0 == "/" }
        return parent.isEmpty ? "/" : String(parent)
    }

    private static func makeFolder(_ path: String, _ sync: (String) throws -> Void) throws {
        var missing: [String] = []
        var folder = path
        while !FileManager.default.fileExists(atPath: folder), folder != "/", folder != "." {
            missing.append(folder)
            folder = parent(of: folder)
        }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for folder in missing { try sync(parent(of: folder)) }
    }

    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return (underlying ?? error as NSError).localizedDescription
    }
}

extension StringProtocol {
    /// The text without the characters at its end for which `predicate` holds.
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> SubSequence {
        guard let last = lastIndex(where: { !predicate($0) }) else { return self[startIndex..<startIndex] }
        return self[...last]
    }
}
