import MedleyService
import Testing

@Suite struct TokenFileTests {
    private static let hash =
        "sha256:abcdefghij01:\(String(repeating: "0a", count: 16)):\(String(repeating: "b1", count: 32))"
    private static let otherHash = hash.replacing("abcdefghij01", with: "abcdefghij02")

    private func parse(_ text: String) throws(TokenFile.Mistake) -> TokenFile {
        try TokenFile(parsing: Array(text.utf8))
    }

    @Test func eachLineIsAToken() throws {
        let file = try parse(
            "# comment\n\n  # another\nphone write team-*,mix \(Self.hash)\r\n\tboss\tadmin  *\t\(Self.otherHash)")
        #expect(file.tokens.map(\.grant.name) == ["phone", "boss"])
        #expect(file.tokens.map(\.grant.right) == [.write, .admin])
        #expect(file.tokens.map { $0.grant.collections.map(\.description) } == [["team-*", "mix"], ["*"]])
        #expect(file.tokens.map(\.id) == ["abcdefghij01", "abcdefghij02"])
    }

    @Test(arguments: ["", "\n", TokenFile.heading])
    func aFileCanHaveNone(text: String) throws { #expect(try parse(text).tokens.isEmpty) }

    @Test func whatIsWrittenIsRead() throws {
        let grant = Grant(name: "a.b-c_d", right: .read, collections: try #require(Grant.patterns("x,y-*")))
        let stored = StoredToken.issue(grant).stored
        #expect(try parse(TokenFile.heading + TokenFile.line(stored)).tokens == [stored])
    }

    @Test(
        arguments: [
            ("phone write mix", "four parts"), ("phone write mix \(hash) more", "four parts"),
            ("-phone write mix \(hash)", "a name is"), ("ph/one write mix \(hash)", "a name is"),
            ("\(String(repeating: "a", count: 65)) write mix \(hash)", "a name is"),
            ("phone Write mix \(hash)", "right of phone"), ("phone owner mix \(hash)", "right of phone"),
            ("phone write mix, \(hash)", "collections of phone"), ("phone write te*am \(hash)", "collections of phone"),
            ("phone write ** \(hash)", "collections of phone"), ("phone write a/b \(hash)", "collections of phone"),
            (
                "phone write \(Array(repeating: "a", count: 65).joined(separator: ",")) \(hash)", "collections of phone"
            ),
            ("phone write mix md5\(hash.dropFirst(6))", "hash of phone"),
            ("phone write mix \(hash.dropLast())", "hash of phone"),
            ("phone write mix \(hash.dropLast(2))", "hash of phone"),
            ("phone write mix \(hash.replacing("b1b1", with: "B1b1"))", "hash of phone"),
            ("phone write mix \(hash.replacing("abcdefghij01", with: "abcdefghij0"))", "hash of phone"),
            ("phone write mix \(hash.replacing("abcdefghij01", with: "abcdefghiJ01"))", "hash of phone"),
            ("phone read mix \(hash)\nphone read mix \(otherHash)", "name phone stands twice"),
            ("phone read mix \(hash)\ntablet read mix \(hash)", "token of tablet stands twice"),
            ("\u{0}", "four parts"), ("\u{FEFF}phone write mix \(hash)", "a name is"),
        ] as [(String, String)])
    func aMistakeIsToldWithItsLine(text: String, message: String) throws {
        let mistake = try #require(throws: TokenFile.Mistake.self) { try parse("# first\n" + text + "\n") }
        #expect(mistake.line == 1 + text.split(separator: "\n").count)
        #expect(mistake.message.contains(message), "\(mistake.message)")
        // Nothing of a hash goes to a log.
        #expect(!mistake.message.contains("0a0a"))
        #expect(!mistake.message.contains("b1b1"))
    }

    @Test func whatIsTooLongIsRefused() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: TokenFile.mostBytes + 1)
        #expect(throws: TokenFile.Mistake.self) { try TokenFile(parsing: bytes) }
    }

    @Test func anyBytesAreReadOrRefused() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("MEDLEY_SEED=\(seed)")
        var random = SplitMix(state: seed)
        let line = Array(
            TokenFile.line(StoredToken.issue(Grant(name: "a", right: .read, collections: [.all])).stored).utf8)
        for _ in 0..<2_000 {
            var bytes = line + line
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // Twice the same token is refused; what is left of it never is one that grants more.
            if let file = try? TokenFile(parsing: bytes) { #expect(file.tokens.count <= 2) }
        }
    }
}
