import Glibc

/// A file that its editors change in turns, in one process or many: while one holds it, the others wait.
///
/// Whoever reads the path finds the old bytes or the new ones. Only a file that cannot be replaced, since it is mounted by
/// itself, belongs to another or lies in a folder that may not be written to, is rewritten where it is.
package final class LockedFile: Sendable {
    private let path: String
    private let file: RegularFile
    /// Whether this editor has made the file.
    package let isNew: Bool

    /// Opens a file, which is made, for its owner only, if it is not there, and waits for the lock on it.
    package init(_ path: String, creating: Bool) throws(RegularFile.Failure) {
        self.path = path
        while true {
            let (opened, isNew) = try Self.opened(path, creating: creating)
            while flock(opened.descriptor, LOCK_EX) != 0 {
                let code = errno
                guard code == EINTR else { throw .system(code) }
            }
            // Whoever held the lock before may have put another file there, or taken this one away.
            if try opened.isStill(at: path) {
                file = opened
                self.isNew = isNew
                return
            }
        }
    }

    private static func opened(
        _ path: String, creating: Bool
    ) throws(RegularFile.Failure) -> (file: RegularFile, isNew: Bool) {
        while true {
            do { return (try RegularFile(path, O_RDWR), false) } catch {
                guard creating, error == .system(ENOENT) else { throw error }
            }
            do { return (try RegularFile(path, O_RDWR | O_CREAT | O_EXCL), true) } catch {
                // Another was faster, or a link leads to nothing.
                guard error == .system(EEXIST), (try? RegularFile.stamp(of: path)) != nil else { throw error }
            }
        }
    }

    /// The first bytes of the file, at most so many.
    package func contents(most: Int) throws(RegularFile.Failure) -> [UInt8] { try file.contents(most: most) }

    /// Has the file hold other bytes, on the disk when this returns. After an error it holds what it held.
    ///
    /// - Parameter old: what the file holds.
    package func replace(_ old: [UInt8], with new: [UInt8]) throws(RegularFile.Failure) {
        do throws(ReplacementFile.Failure) {
            let replacement = try ReplacementFile(replacing: path)
            // Who may not give the file to its owner takes it from nobody either.
            guard replacement.keepsOwner else { throw ReplacementFile.Failure(code: EPERM) }
            try replacement.write(new)
            try replacement.commit()
        } catch {
            guard [EBUSY, EXDEV, EACCES, EPERM, EROFS].contains(error.code) else { throw .system(error.code) }
            try rewrite(old, with: new)
        }
    }

    /// Takes the file away.
    package func remove() { unsafe unlink(path) }

    private func rewrite(_ old: [UInt8], with new: [UInt8]) throws(RegularFile.Failure) {
        // What stays the same is not written again, so that adding only ever appends.
        let same = zip(old, new).prefix { $0 == $1 }.count
        do { try write(new, from: same) } catch {
            // What it held has its room on the disk still.
            try? write(old, from: same)
            throw error
        }
    }

    private func write(_ bytes: [UInt8], from start: Int) throws(RegularFile.Failure) {
        var start = start
        while start < bytes.count {
            let (count, code) = unsafe bytes.withUnsafeBytes { raw in
                let count = unsafe pwrite(
                    file.descriptor, raw.baseAddress?.advanced(by: start), bytes.count - start, start)
                return (count, errno)
            }
            if count < 0, code == EINTR { continue }
            guard count > 0 else { throw .system(count == 0 ? EIO : code) }
            start += count
        }
        guard ftruncate(file.descriptor, bytes.count) == 0, fsync(file.descriptor) == 0 else { throw .system(errno) }
    }
}
