import Glibc
import Synchronization

/// A file that takes its place when it is whole. Until then whatever is there stays, and what is written goes to a hidden
/// file beside it, on the same file system.
///
/// It has the mode, and if that is allowed the owner, of the file that it replaces; a new one has what the process's mask
/// leaves. A symbolic link stays, and the file that it leads to is replaced. What is no regular file, such as a pipe or a
/// terminal, is written to directly.
package final class ReplacementFile: Sendable {
    /// A system call that failed.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The system's error number.
        package let code: Int32

        /// The system's own words.
        package var description: String {
            guard let words = unsafe strerror(code) else { return "error \(code)" }
            return unsafe String(cString: words)
        }
    }

    private let descriptor: Int32
    /// The path that is replaced, links followed.
    private let target: String
    /// Whether the file will belong to whom the one that it replaces does.
    package let keepsOwner: Bool
    /// The hidden file; `nil` once it is in its place or gone, and where there is none.
    private let hidden: Mutex<String?>

    /// Opens a file for a path, which is not touched yet.
    package init(replacing path: String) throws(Failure) {
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        if !exists, errno != ENOENT { throw Failure(code: errno) }
        if exists {
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR { throw Failure(code: EISDIR) }
            guard kind == S_IFREG else {
                descriptor = try Self.opened(path, O_WRONLY | O_CLOEXEC)
                target = path
                keepsOwner = true
                hidden = Mutex(nil)
                return
            }
            // A rename would not ask.
            guard unsafe access(path, W_OK) == 0 else { throw Failure(code: errno) }
        }
        let resolved = exists ? Self.resolved(path) ?? path : path
        target = resolved
        let folder = resolved.lastIndex(of: "/").map { String(resolved[...$0]) } ?? ""
        let name = "\(folder).medley-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        // Nobody opens it before it has the mode of the other.
        descriptor = try Self.opened(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: exists ? 0o600 : 0o666)
        hidden = Mutex(name)
        if exists {
            // Only root may give files away, and the mode comes second because a new owner takes bits off it.
            keepsOwner = fchown(descriptor, status.st_uid, status.st_gid) == 0
            _ = fchmod(descriptor, status.st_mode & 0o7777)
        } else {
            keepsOwner = true
        }
    }

    deinit {
        discard()
        close(descriptor)
    }

    /// Writes bytes behind those that were written before; one thread at a time.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let (count, code) = unsafe rest.withUnsafeBytes { bytes in
                let count = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                return (count, errno)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if code != EINTR {
                throw Failure(code: code)
            }
        }
    }

    /// Puts the file in its place, on the disk before the old one is gone. Does nothing after `discard`.
    package func commit() throws(Failure) {
        let code = hidden.withLock { name -> Int32 in
            guard let path = name else { return 0 }
            guard fsync(descriptor) == 0, unsafe rename(path, target) == 0 else { return errno }
            name = nil
            Self.synchronizeFolder(of: target)
            return 0
        }
        if code != 0 { throw Failure(code: code) }
    }

    /// Takes the hidden file away, unless it is in its place; any thread, also while another writes.
    package func discard() {
        hidden.withLock { name in
            if let path = name { unsafe unlink(path) }
            name = nil
        }
    }

    private static func opened(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws(Failure) -> Int32 {
        let descriptor = unsafe open(path, flags, mode)
        if descriptor < 0 { throw Failure(code: errno) }
        return descriptor
    }

    /// Has the disk know the new name too. Where it cannot, the old file is whole as well.
    private static func synchronizeFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The path without links; `nil` if it cannot be told.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
