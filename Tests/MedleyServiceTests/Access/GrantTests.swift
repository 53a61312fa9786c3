import Testing

@testable import MedleyService

@Suite struct GrantTests {
    @Test(
        arguments: [
            ("mix", "mix", true), ("mix", "mixer", false), ("mix", "Mix", false), ("mix", "mi", false),
            ("team-*", "team-", true), ("team-*", "team-a", true), ("team-*", "team", false),
            ("team-*", "Team-a", false),
            ("*", "a", true), ("*", "", true), ("a.b", "a.b", true), ("a.b", "axb", false),
        ])
    func aPatternMatchesByBytes(pattern: String, collection: String, matches: Bool) throws {
        #expect(try #require(CollectionPattern(pattern)).matches(collection) == matches)
    }

    @Test(arguments: ["", "a*b", "**", "*a", "-a", "a b", "a,b", "é", String(repeating: "a", count: 129)])
    func whatNoIdCouldMatchIsNoPattern(text: String) { #expect(CollectionPattern(text) == nil) }

    @Test func eachRightIncludesThoseBefore() {
        #expect(Right.allCases == Right.allCases.sorted())
        #expect(Right.allCases.map(\.rawValue) == ["read", "write", "admin"])
    }

    @Test func tokensAreLongAndNoTwoAreAlike() {
        let grant = Grant(name: "a", right: .read, collections: [.all])
        let issued = (0..<500).map { _ in StoredToken.issue(grant) }
        #expect(Set(issued.map(\.text)).count == issued.count)
        #expect(Set(issued.map(\.stored.id)).count == issued.count)
        #expect(Set(issued.map(\.stored.salt)).count == issued.count)
        for (text, stored) in issued {
            #expect(text.wholeMatch(of: /medley_[a-z0-9]{12}_[A-Za-z0-9]{43}/) != nil)
            #expect(StoredToken.id(of: text) == stored.id)
            #expect(stored.isToken(text))
        }
        // The secrets use all of their characters: fewer would be easier to guess.
        #expect(Set(issued.flatMap { $0.text.suffix(43) }).count == 62)
    }

    @Test func anotherTokenIsNotThisOne() {
        let (text, stored) = StoredToken.issue(Grant(name: "a", right: .read, collections: [.all]))
        for index in text.indices {
            var other = text
            other.replaceSubrange(index...index, with: text[index] == "x" ? "y" : "x")
            #expect(!stored.isToken(other))
        }
        for other in ["", text + "a", String(text.dropLast()), text.uppercased(), "medley_\(stored.id)_"] {
            #expect(!stored.isToken(other))
        }
    }

    @Test(arguments: [
        "", "medley_", "medley__", "medley_abcdefghij01_", "token", "medley_é" + String(repeating: "a", count: 60),
    ])
    func whatHasNotTheFormHasNoId(text: String) { #expect(StoredToken.id(of: text) == nil) }
}
