import SQLite
import Testing

@Suite struct StatementTests {
    private let database: Database

    init() throws {
        database = try Database(path: ":memory:", access: .create)
        try database.execute("CREATE TABLE t (a)")
    }

    private func stored(_ bind: (Statement) throws -> Void) throws -> Statement {
        let insert = try database.prepare("INSERT INTO t VALUES (?)")
        try bind(insert)
        try insert.run()
        let select = try database.prepare("SELECT a, typeof(a), length(CAST(a AS BLOB)) FROM t ORDER BY rowid DESC")
        #expect(try select.step())
        return select
    }

    @Test(arguments: [0, 1, -1, .max, .min] as [Int64])
    func numbersComeBack(number: Int64) throws {
        let row = try stored { try $0.bind(1, number) }
        #expect(row.text(1) == "integer")
        #expect(row.integer(0) == number)
    }

    @Test(arguments: ["", "a", "fifteen bytes..", "sixteen bytes...", "ä🎵", "nul\0in it", "\0", "'\"--;"])
    func textComesBack(text: String) throws {
        for row in [
            try stored { try $0.bind(1, text) },
            try stored { try $0.bind(1, text: Array(text.utf8)) },
        ] {
            #expect(row.text(1) == "text")
            #expect(row.text(0) == text)
            #expect(row.bytes(0) == Array(text.utf8))
            #expect(row.integer(2) == Int64(text.utf8.count))
        }
    }

    @Test(arguments: [0, 1, 15, 16, 4_096, 262_144])
    func bytesComeBack(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let row = try stored { try $0.bind(1, blob: bytes) }
        #expect(row.text(1) == "blob")
        #expect(!row.isNull(0))
        #expect(row.bytes(0) == bytes)
    }

    @Test func nothingIsNull() throws {
        for row in [
            try stored { try $0.bind(1, Int64?.none) },
            try stored { try $0.bind(1, String?.none) },
            try stored { try $0.bind(1, blob: nil) },
            try stored { _ in },
        ] {
            #expect(row.isNull(0))
            #expect(row.integer(0) == 0 && row.text(0).isEmpty && row.bytes(0).isEmpty)
        }
    }

    @Test func whatIsBoundStaysAsItWas() throws {
        var bytes = Array(repeating: UInt8(1), count: 100_000)
        let row = try stored { insert in
            try insert.bind(1, blob: bytes)
            for index in bytes.indices { bytes[index] = 2 }
            bytes = []
        }
        #expect(row.bytes(0) == Array(repeating: 1, count: 100_000))
    }

    @Test func theLastBindingCounts() throws {
        let row = try stored {
            try $0.bind(1, blob: [1, 2, 3])
            try $0.bind(1, text: [65])
            try $0.bind(1, blob: [4, 5])
        }
        #expect(row.bytes(0) == [4, 5])
    }

    @Test func aRunLeavesNothingBound() throws {
        let insert = try database.prepare("INSERT INTO t VALUES (?)")
        try insert.bind(1, text: Array("a".utf8))
        try insert.run()
        try insert.run()
        #expect(try database.integer("SELECT count(*) FROM t WHERE a IS NULL") == 1)
        #expect(try database.integer("SELECT count(*) FROM t") == 2)
    }

    @Test func aRunThatFailsLeavesTheStatementReady() throws {
        try database.execute("CREATE UNIQUE INDEX i ON t (a)")
        let insert = try database.prepare("INSERT INTO t VALUES (?)")
        for (value, isRefused) in [(1, false), (1, true), (2, false)] as [(Int64, Bool)] {
            try insert.bind(1, value)
            do {
                try insert.run()
                #expect(!isRefused)
            } catch {
                #expect(isRefused && error.code & 0xFF == 19)
            }
        }
        #expect(try database.integer("SELECT sum(a) FROM t") == 3)
    }

    @Test(arguments: [0, 2, -1, .max] as [Int32])
    func aParameterThatIsNotThereIsAnError(index: Int32) throws {
        let insert = try database.prepare("INSERT INTO t VALUES (?)")
        let binds: [() throws -> Void] = [
            { try insert.bind(index, 1) },
            { try insert.bind(index, "a") },
            { try insert.bind(index, text: [65]) },
            { try insert.bind(index, blob: []) },
        ]
        for bind in binds {
            let error = #expect(throws: SQLiteError.self) { try bind() }
            #expect(error?.code == 25)
        }
    }

    @Test func stepsGoThroughTheRowsAndAResetStartsAgain() throws {
        try database.execute("INSERT INTO t VALUES (1), (2), (3)")
        let select = try database.prepare("SELECT a FROM t WHERE a >= ? ORDER BY a")
        for start in [1, 2, 4] as [Int64] {
            try select.bind(1, start)
            var rows: [Int64] = []
            while try select.step() { rows.append(select.integer(0)) }
            #expect(rows == [1, 2, 3].filter { $0 >= start })
            select.reset()
        }
    }

    @Test func textThatIsNotUTF8IsRepairedAndItsBytesAreNot() throws {
        let row = try stored { try $0.bind(1, text: [65, 0xff, 66]) }
        #expect(row.text(0) == "A\u{fffd}B")
        #expect(row.bytes(0) == [65, 0xff, 66])
    }
}
