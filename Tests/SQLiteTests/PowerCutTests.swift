import CFaultyVFS
import Foundation
import SQLite
import Testing

/// Cuts of the power through the faulty VFS: they take what SQLite does not promise to keep, and nothing else.
@Suite final class PowerCutTests {
    private let vfs: Int32
    private let seed: UInt64

    init() throws {
        vfs = faulty_vfs_register()
        try #require(vfs > 0)
        seed = ProcessInfo.processInfo.environment["MEDLEY_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        print("seed \(seed)")
    }

    deinit { faulty_vfs_unregister(vfs) }

    private struct Outcome {
        /// Transactions whose COMMIT was answered.
        var committed: Set<Int64> = []
        /// The one whose COMMIT failed at the cut: it may have reached the disk.
        var inDoubt: Int64?
        /// Transactions whose rows are all there afterwards.
        var found: Set<Int64> = []
        var isSound = false
        var unsynced = 0
        /// A transaction of which some rows are there and some are not.
        var isTorn = false

        var isAsPromised: Bool {
            let certain = inDoubt.map { found.subtracting([$0]) } ?? found
            return isSound && !isTorn && certain == committed
        }
    }

    private static let rows = 3

    private func opened(_ folder: TemporaryFolder) throws -> Database {
        try Database(path: folder.path("a.db"), access: .create, vfs: "faulty-\(vfs)")
    }

    private func insert(_ number: Int64, into database: Database, using random: inout SplitMix) throws {
        let insert = try database.prepare("INSERT INTO t VALUES (?, ?)")
        for _ in 0..<Self.rows {
            try insert.bind(1, number)
            try insert.bind(2, blob: Array(repeating: UInt8(number), count: .random(in: 0...12_000, using: &random)))
            try insert.run()
        }
    }

    /// Commits some transactions, starts one more, cuts the power amid it, and looks at what is there.
    private func cut(seed: UInt64, synchronous: String) throws -> Outcome {
        faulty_vfs_reset(vfs)
        var random = SplitMix(state: seed)
        var outcome = Outcome()
        let folder = try TemporaryFolder()
        let database = try opened(folder)
        try database.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (number, bytes);
            PRAGMA wal_checkpoint; PRAGMA synchronous = \(synchronous); PRAGMA cache_size = 5
            """)
        for number in 1...Int64.random(in: 1...6, using: &random) {
            try database.transaction { try insert(number, into: database, using: &random) }
            outcome.committed.insert(number)
            if Int.random(in: 0..<6, using: &random) == 0 { try database.execute("PRAGMA wal_checkpoint") }
        }
        if Bool.random(using: &random) {
            // The cut comes at a call of the transaction, of its COMMIT perhaps; or else before its end.
            faulty_vfs_fail_at(vfs, faulty_vfs_calls(vfs) + .random(in: 1...40, using: &random), 1, 0)
        }
        try? database.execute("BEGIN IMMEDIATE")
        try? insert(99, into: database, using: &random)
        if faulty_vfs_failures(vfs) == 0, Bool.random(using: &random) {
            let isCommitted = (try? database.execute("COMMIT")) != nil
            if isCommitted { outcome.committed.insert(99) } else { outcome.inDoubt = 99 }
        }
        outcome.unsynced = faulty_vfs_unsynced(vfs)
        faulty_vfs_cut(vfs, seed)
        try database.close()
        faulty_vfs_reset(vfs)

        let again = try opened(folder)
        outcome.isSound = (try? again.text("PRAGMA integrity_check")) == "ok"
        // Whole rows only: all bytes of one are its number's hexadecimal digits.
        let select = try again.prepare(
            """
            SELECT number, sum(replace(hex(bytes), printf('%02X', number), '') = '') FROM t GROUP BY number
            """)
        while try select.step() {
            if select.integer(1) == Int64(Self.rows) {
                outcome.found.insert(select.integer(0))
            } else {
                outcome.isTorn = true
            }
        }
        try again.close()
        return outcome
    }

    @Test func whatWasCommittedIsThereAndWhatWasNotIsNot() throws {
        var cutAmidWrites = 0
        for seed in (0..<200).map({ self.seed &+ $0 }) {
            let outcome = try cut(seed: seed, synchronous: "FULL")
            #expect(outcome.isAsPromised, "seed \(seed): \(outcome)")
            if outcome.unsynced > 0 { cutAmidWrites += 1 }
        }
        #expect(cutAmidWrites > 20)
    }

    @Test func withSynchronousNormalABeginningIsThereAndWhole() throws {
        var lost = 0
        for seed in (0..<200).map({ self.seed &+ $0 }) {
            let outcome = try cut(seed: seed, synchronous: "NORMAL")
            #expect(outcome.isSound && !outcome.isTorn, "seed \(seed)")
            let all = outcome.committed.union(outcome.inDoubt.map { [$0] } ?? [])
            let isBeginning = all.sorted().starts(with: outcome.found.sorted())
            #expect(isBeginning, "seed \(seed): \(outcome)")
            if !outcome.isAsPromised { lost += 1 }
        }
        #expect(lost > 20)
    }

    @Test func withSynchronousOffTheCutDoesHarm() throws {
        var lost = 0
        for seed in (0..<200).map({ self.seed &+ $0 }) {
            let outcome = try? cut(seed: seed, synchronous: "OFF")
            if outcome?.isAsPromised != true { lost += 1 }
        }
        #expect(lost > 20)
    }
}

/// Random numbers that a seed repeats.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
