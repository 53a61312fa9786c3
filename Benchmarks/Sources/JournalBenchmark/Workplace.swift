import Glibc

/// A folder for one run, taken away at its end.
final class Workplace {
    let path: String

    init(in parent: String) throws {
        var folder = parent.hasPrefix("/") ? "/" : ""
        for part in parent.split(separator: "/") {
            folder += "\(part)/"
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw BenchmarkError.call(folder) }
        }
        path = "\(folder)run-\(getpid())"
        guard mkdir(path, 0o755) == 0 else { throw BenchmarkError.call(path) }
    }

    deinit { Self.remove(path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names in a folder of this one.
    func names(in folder: String) -> [String] { Self.names(file(folder)) }

    /// The bytes of a file; 0 if there is none.
    func size(_ name: String) -> Int {
        var status = stat()
        return stat(file(name), &status) == 0 ? Int(status.st_size) : 0
    }

    /// Lets the system forget what it has read of a file, once it is on the disk.
    func dropCache(_ name: String) {
        let descriptor = open(file(name), O_RDONLY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        close(descriptor)
    }

    private static func names(_ folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
