import CFaultyVFS

/// A VFS of a test's own, which goes with the object.
final class FaultyDisk: Sendable {
    let number = faulty_vfs_register()
    var name: String { "faulty-\(number)" }
    var calls: Int { faulty_vfs_calls(number) }
    var syncs: Int { faulty_vfs_calls_of(number, FAULTY_SYNC) }
    deinit { faulty_vfs_unregister(number) }
}
