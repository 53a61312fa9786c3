internal import CLibevent
import Glibc

/// A regular file that is open. What else a path may lead to, such as a pipe, is refused, and never waited for.
package final class RegularFile: Sendable {
    /// Why a file is not read or changed.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// A system call failed with an error number.
        case system(Int32)
        /// The path leads to something else.
        case notRegular

        /// Why, in a few words.
        package var description: String {
            switch self {
            case .system(let code): ReplacementFile.Failure(code: code).description
            case .notRegular: "it is no regular file"
            }
        }
    }

    /// What the system knows of a file. It is another when the file or what it holds is, unless both were changed within a
    /// tick of the system's clock.
    package struct Stamp: Hashable, Sendable {
        private let device: UInt64
        private let number: UInt64
        private let size: Int
        /// In nanoseconds since 1970; any number can be set.
        private let modified: Int
        /// In nanoseconds since 1970, by the system only.
        private let changed: Int
        /// The permissions.
        package let mode: UInt32

        fileprivate init(_ status: stat) {
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            size = Int(status.st_size)
            modified = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
            changed = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
            mode = status.st_mode & 0o7777
        }

        /// Whether the last change is so long ago, by the time of day in milliseconds, that another one must show.
        package func isSettled(at milliseconds: Int) -> Bool { changed / 1_000_000 + 2_000 < milliseconds }

        fileprivate func isSameFile(as other: Stamp) -> Bool { device == other.device && number == other.number }
    }

    let descriptor: Int32

    /// Opens a file to be read.
    package convenience init(reading path: String) throws(Failure) { try self.init(path, O_RDONLY) }

    /// Opens a file with the system's flags; one that is made is its owner's only.
    init(_ path: String, _ flags: Int32) throws(Failure) {
        // Without O_NONBLOCK a pipe would be waited for.
        let opened = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard opened >= 0 else {
            let code = errno
            throw code == ENXIO || code == EISDIR ? .notRegular : .system(code)
        }
        descriptor = opened
        var status = stat()
        guard unsafe fstat(opened, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    }

    deinit {
        close(descriptor)
    }

    /// What the system knows of the file now.
    package func stamp() throws(Failure) -> Stamp {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
        return Stamp(status)
    }

    /// What the system knows of what a path leads to, which is not opened.
    package static func stamp(of path: String) throws(Failure) -> Stamp {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        return Stamp(status)
    }

    /// Whether a path leads to this file.
    func isStill(at path: String) throws(Failure) -> Bool {
        let own = try stamp()
        var status = stat()
        return unsafe stat(path, &status) == 0 && own.isSameFile(as: Stamp(status))
    }

    /// The first bytes of the file, at most so many.
    package func contents(most: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(most, 65_536))
        while bytes.count < most {
            let room = min(buffer.count, most - bytes.count)
            let count = unsafe pread(descriptor, &buffer, room, bytes.count)
            let code = errno
            if count < 0, code == EINTR { continue }
            guard count >= 0 else { throw .system(code) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
