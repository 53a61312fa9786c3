import Foundation
import HTTPCore
import JSONText
import MedleyService
import Testing

@Suite struct IdentifierTests {
    static let mix = "/v1/collections/mix"
    /// Ids that are easily taken for each other; the two last are `é` in its normal forms.
    static let ids = [
        "a/b", "a%2Fb", "a+b", "a b", "a%20b", "a,b", "a?b&c=d#e", "..", ".", "日本", "👩‍👩‍👧", "\"\\", "A/B", "caf\u{E9}",
        "cafe\u{301}",
    ]

    private func encoded(_ id: String) -> String { PercentEncoding.encode(id) }

    private func json(_ text: String) -> String {
        var json: [UInt8] = []
        JSONWriter.append(string: text, to: &json)
        return String(decoding: json, as: UTF8.self)
    }

    private func fixture() async -> ServiceFixture {
        let fixture = ServiceFixture()
        let items = Self.ids.enumerated().map { #"{"id":\#(json($1)),"type":"music","n":\#($0)}"# }
        let sections = Self.ids.map { #"{"id":\#(json($0)),"title":\#(json($0))}"# }
        let received = await fixture.send(
            "PUT", Self.mix,
            json:
                #"{"sections":[\#(sections.joined(separator: ",")),{"id":"s","items":[\#(items.joined(separator: ","))]}]}"#
        )
        #expect(received.status == 201)
        return fixture
    }

    @Test func idsAreKeptApartAndComeBackAsSent() async {
        let fixture = await fixture()
        for (number, id) in Self.ids.enumerated() {
            let item = await fixture.send("GET", "\(Self.mix)/items/\(encoded(id))")
            let expected = #"{"id":\#(json(id)),"type":"music","liked":false,"n":\#(number)}"#
            #expect(item.body == Array(expected.utf8), "\(id)")
        }
        let all = await fixture.send("GET", Self.mix)
        for id in Self.ids { #expect(all.text.utf8.firstRange(of: "{\"id\":\(json(id)),".utf8) != nil) }
    }

    @Test func eachIsEditedByItself() async throws {
        let fixture = await fixture()
        for (number, id) in Self.ids.enumerated() {
            let target = "\(Self.mix)/items/\(encoded(id))"
            let patch = await fixture.send("PATCH", target, json: #"{"liked":true}"#)
            let expected = #""items":[{"id":\#(json(id)),"type":"music","liked":true,"n":\#(number)}]}]}"#
            #expect(patch.body.suffix(expected.utf8.count).elementsEqual(expected.utf8))
            let liked = await fixture.send("GET", "\(Self.mix)/items?liked=true")
            #expect(liked.itemIDs.count == number + 1)
        }
        for id in Self.ids {
            #expect(await fixture.send("DELETE", "\(Self.mix)/items/\(encoded(id))").status == 200)
            #expect(await fixture.send("GET", "\(Self.mix)/items/\(encoded(id))").status == 404)
        }
        #expect(await fixture.send("GET", "\(Self.mix)/items").itemIDs.isEmpty)
    }

    @Test func aListIsSplitBeforeItIsDecoded() async {
        let fixture = await fixture()
        let list = Self.ids.reversed().map(encoded).joined(separator: ",")
        let received = await fixture.send("GET", "\(Self.mix)/items?ids=\(list)")
        #expect(received.itemIDs.map { Array($0.utf8) } == Self.ids.reversed().map { Array($0.utf8) })
        #expect((received.object["missing"] as? [String]) == [])
        let sections = await fixture.send("GET", "\(Self.mix)?section=a%2Cb,s")
        #expect(sections.sectionItems.last?.1.count == Self.ids.count)
    }

    @Test func aPlusIsAPlusInPathsAndQueries() async {
        let fixture = await fixture()
        #expect(await fixture.send("GET", "\(Self.mix)/items/a+b").text.contains(#""id":"a+b""#))
        #expect(await fixture.send("GET", "\(Self.mix)/items?ids=a+b").itemIDs == ["a+b"])
        #expect(await fixture.send("GET", "\(Self.mix)/items?ids=a%2Bb").itemIDs == ["a+b"])
        #expect(await fixture.send("GET", "\(Self.mix)/items?ids=a%20b").itemIDs == ["a b"])
    }

    @Test func aSegmentIsDecodedOnce() async {
        let fixture = await fixture()
        #expect(await fixture.send("GET", "\(Self.mix)/items/a%2Fb").text.contains(#""id":"a/b""#))
        #expect(await fixture.send("GET", "\(Self.mix)/items/a%252Fb").text.contains(#""id":"a%2Fb""#))
        #expect(await fixture.send("GET", "\(Self.mix)/items/a/b").code == "not-found")
        #expect(await fixture.send("GET", "/%761/collections/mix").status == 200)
    }

    @Test func aPointerIsEscaped() async {
        let fixture = await fixture()
        let received = await fixture.send(
            "PATCH", Self.mix, json: #"{"changes":[{"op":"like","ids":[],"a/b~c":1}]}"#)
        #expect(received.object["pointer"] as? String == "/changes/0/a~1b~0c")
    }
}
