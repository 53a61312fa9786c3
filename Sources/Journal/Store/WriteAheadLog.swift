import Foundation

/// What is in the file of a write-ahead log, beyond what SQLite says of it.
///
/// SQLite takes the log up to the first frame whose checksum is wrong, and nothing behind it: a frame that a power cut left
/// half written is where the log ends. But a commit is written only when the one before it is on the disk. So where two
/// commits or more follow a wrong frame, what was acknowledged has been damaged, and going on without it would give its
/// revision numbers to other content.
/// The form is that of https://www.sqlite.org/fileformat2.html#walformat.
struct WriteAheadLog {
    /// The number of the first frame that is wrong, from 1.
    let firstWrongFrame: Int
    /// How many commits follow it, its own included, in an unbroken row.
    let lostCommits: Int

    private static let headerCount = 32
    private static let frameHeaderCount = 24

    /// What a log has lost; `nil` if it has lost nothing that was acknowledged, or is not there. O(bytes).
    ///
    /// - Throws: what reading the file throws.
    static func damage(at path: String) throws -> WriteAheadLog? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        // A server that begins its log anew writes over what is being read: then what was read says nothing.
        for _ in 0..<3 {
            try file.seek(toOffset: 0)
            let header = try read(file, headerCount)
            let damage = try damage(in: file, header)
            try file.seek(toOffset: 0)
            if damage == nil { return nil }
            if try read(file, headerCount) == header { return damage }
        }
        return nil
    }

    private static func damage(in file: FileHandle, _ header: [UInt8]?) throws -> WriteAheadLog? {
        guard let header, var reader = FrameReader(header: header) else { return nil }
        var number = 0
        var wrong: Int?
        var commits = 0
        while let frame = try read(file, frameHeaderCount + reader.pageSize) {
            number += 1
            let isSound = reader.follows(frame)
            guard let first = wrong else {
                if !isSound {
                    wrong = number
                    if reader.isCommitOfThisLog(frame) { commits += 1 }
                }
                continue
            }
            // Its checksum may be what is damaged: then the one behind it does not follow either.
            if !isSound, number > first + 1 { break }
            if reader.isCommitOfThisLog(frame) { commits += 1 }
        }
        guard let wrong, commits > 1 else { return nil }
        return WriteAheadLog(firstWrongFrame: wrong, lostCommits: commits)
    }

    /// Throws if the log of a database has lost what was acknowledged.
    static func requireSound(of database: String) throws {
        guard let damage = try damage(at: database + "-wal") else { return }
        throw JournalError(
            "the store is damaged: frame \(damage.firstWrongFrame) of \(database)-wal is not what was written, and "
                + "\(damage.lostCommits) commits from there on cannot be read. medley restore makes a store of what can, "
                + "in another folder and under new lineages")
    }

    /// The next bytes; `nil` if there are not as many.
    private static func read(_ file: FileHandle, _ count: Int) throws -> [UInt8]? {
        guard let data = try file.read(upToCount: count), data.count == count else { return nil }
        return [UInt8](data)
    }

    /// Says of each frame whether it follows from the one before it.
    private struct FrameReader {
        let pageSize: Int
        private let isBigEndian: Bool
        private let salts: ArraySlice<UInt8>
        /// The checksum that the last frame, or the header, claims.
        private var checksum: (UInt32, UInt32)

        /// Reads a log's header; `nil` if it is none that SQLite would take.
        init?(header: [UInt8]) {
            let magic = Self.number(header, 0)
            guard magic == 0x377F_0682 || magic == 0x377F_0683 else { return nil }
            isBigEndian = magic & 1 == 1
            pageSize = Int(Self.number(header, 8))
            guard pageSize >= 512, pageSize <= 65_536, pageSize.nonzeroBitCount == 1 else { return nil }
            salts = header[16..<24]
            checksum = (Self.number(header, 24), Self.number(header, 28))
            guard Self.sum(header[..<24], isBigEndian, from: (0, 0)) == checksum else { return nil }
        }

        /// Whether a frame is of this log and its checksum follows from the frame before it. Either way what it claims is
        /// what the next one has to follow from.
        mutating func follows(_ frame: [UInt8]) -> Bool {
            let claimed = (WriteAheadLog.FrameReader.number(frame, 16), WriteAheadLog.FrameReader.number(frame, 20))
            defer { checksum = claimed }
            guard frame[8..<16] == salts else { return false }
            let head = Self.sum(frame[..<8], isBigEndian, from: checksum)
            return Self.sum(frame[24...], isBigEndian, from: head) == claimed
        }

        /// Whether a frame was written since the log was begun and ends a transaction.
        func isCommitOfThisLog(_ frame: [UInt8]) -> Bool { frame[8..<16] == salts && Self.number(frame, 4) != 0 }

        private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }

        /// SQLite's checksum over pairs of words.
        private static func sum(
            _ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool, from start: (UInt32, UInt32)
        ) -> (UInt32, UInt32) {
            var (first, second) = start
            var offset = bytes.startIndex
            func word(_ offset: Int) -> UInt32 {
                let (a, b) = (UInt32(bytes[offset]), UInt32(bytes[offset + 1]))
                let (c, d) = (UInt32(bytes[offset + 2]), UInt32(bytes[offset + 3]))
                return isBigEndian ? a << 24 | b << 16 | c << 8 | d : d << 24 | c << 16 | b << 8 | a
            }
            while offset + 8 <= bytes.endIndex {
                first = first &+ word(offset) &+ second
                second = second &+ word(offset + 4) &+ first
                offset += 8
            }
            return (first, second)
        }
    }
}
