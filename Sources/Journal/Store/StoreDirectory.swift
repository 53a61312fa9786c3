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

    /// Whether there is a store in a folder.
    package static func holdsStore(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: databasePath(in: path))
    }

    /// Takes a folder for this process, until the object goes; makes it, readable by its owner only, if it is not there.
    ///
    /// - Throws: `JournalError` if another process has it, or it cannot be written.
    package init(_ path: String) throws(JournalError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw JournalError("cannot make the folder \(path): \(Self.reason(error))")
        }
        let lockPath = path + "/lock"
        if !FileManager.default.fileExists(atPath: lockPath) {
            _ = FileManager.default.createFile(atPath: lockPath, contents: nil, attributes: [.posixPermissions: 0o600])
        }
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

    /// Lets other processes have the folder before the object goes.
    func release() { try? lock.close() }

    /// Makes the names in a folder durable.
    static func sync(_ path: String) throws {
        guard let folder = FileHandle(forReadingAtPath: path) else { throw JournalError("cannot open \(path)") }
        guard fsync(folder.fileDescriptor) == 0 else { throw JournalError("cannot sync \(path)") }
    }

    private static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return (underlying ?? error as NSError).localizedDescription
    }
}
