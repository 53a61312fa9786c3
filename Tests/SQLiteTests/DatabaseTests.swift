import SQLite
import Testing

@Suite struct DatabaseTests {
    @Test func aMemoryDatabaseAnswers() throws {
        let database = try Database(path: ":memory:", access: .create)
        #expect(try database.integer("SELECT 1 + 1") == 2)
        #expect(try database.text("SELECT 'a' || 'b'") == "ab")
        try database.close()
    }
}
