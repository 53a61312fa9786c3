import MedleyJSON
import Testing

/// Every rule about what items, sections and patches may hold.
@Suite struct ContentRefusalTests {
    /// Members of an item and the pointers below it.
    static let items: [Refusal] = [
        Refusal(#""id":"""#, .invalidItem, "/id"),
        Refusal(#""id":5"#, .invalidItem, "/id"),
        Refusal(#""id":null"#, .invalidItem, "/id"),
        Refusal(#""id":"\#(id256)y""#, .invalidItem, "/id"),
        Refusal(#""id":"a\n""#, .invalidItem, "/id"),
        Refusal(#""id":"a\u0080""#, .invalidItem, "/id"),
        Refusal(#""id":"a","type":"Music""#, .invalidItem, "/type"),
        Refusal(#""id":"a","type":"""#, .invalidItem, "/type"),
        Refusal(#""id":"a","type":null"#, .invalidItem, "/type"),
        Refusal(#""id":"a","type":["music"]"#, .invalidItem, "/type"),
        Refusal(#""id":"a","liked":null"#, .invalidItem, "/liked"),
        Refusal(#""id":"a","liked":"true""#, .invalidItem, "/liked"),
        Refusal(#""id":"a","liked":1"#, .invalidItem, "/liked"),
        Refusal(#""id":"a","title":300"#, .invalidItem, "/title"),
        Refusal(#""id":"a","t\u0069tle":null"#, .invalidItem, "/title"),
        Refusal(#""id":"a","artist":[]"#, .invalidItem, "/artist"),
        Refusal(#""id":"a","album":{}"#, .invalidItem, "/album"),
        Refusal(#""id":"a","creator":true"#, .invalidItem, "/creator"),
        Refusal(#""id":"a","description":1"#, .invalidItem, "/description"),
        Refusal(#""id":"a","url":"/path""#, .invalidItem, "/url"),
        Refusal(#""id":"a","artworkURL":null"#, .invalidItem, "/artworkURL"),
        Refusal(#""id":"a","duration":"12""#, .invalidItem, "/duration"),
        Refusal(#""id":"a","duration":-1"#, .invalidItem, "/duration"),
        Refusal(#""id":"a","publishedAt":"1970-11-09""#, .invalidItem, "/publishedAt"),
        Refusal(#""id":"a","publishedAt":0"#, .invalidItem, "/publishedAt"),
    ]

    @Test(arguments: items, ["upsert", "update", "insert"])
    func refusesAnItem(_ refusal: Refusal, _ op: String) {
        // A second problem and a missing type behind it do not hide the first.
        let body = #"[{"op":"\#(op)","items":[{"id":"b","type":"music"},{\#(refusal.body)},{"title":1}]}]"#
        Refusal(body, refusal.code, "/0/items/1" + (refusal.pointer ?? "")).check {
            _ = try ChangeDecoder().changes($0)
        }
    }

    @Test func aNewItemNeedsAType() {
        Refusal(#"[{"op":"insert","items":[{"id":"a","type":"music"},{"id":"b"}]}]"#, .invalidItem, "/0/items/1")
            .check { _ = try ChangeDecoder().changes($0) }
    }

    @Test func anItemToUpdateNeedsAnID() {
        Refusal(#"[{"op":"update","items":[{"id":"a"},{"type":"music"}]}]"#, .invalidItem, "/0/items/1")
            .check { _ = try ChangeDecoder().changes($0) }
    }

    static let patches: [Refusal] = [
        Refusal(#"{"id":null}"#, .invalidItem, "/id"),
        Refusal(#"{"id":""}"#, .invalidItem, "/id"),
        Refusal(#"{"id":{}}"#, .invalidItem, "/id"),
        Refusal(#"{"type":null}"#, .invalidItem, "/type"),
        Refusal(#"{"type":"1"}"#, .invalidItem, "/type"),
        Refusal(#"{"liked":null}"#, .invalidItem, "/liked"),
        Refusal(#"{"l\u0069ked":"yes"}"#, .invalidItem, "/liked"),
        Refusal(#"{"liked":{"a":1}}"#, .invalidItem, "/liked"),
        Refusal(#"{"a":1,"title":5}"#, .invalidItem, "/title"),
        Refusal(#"{"title":{"de":"x"}}"#, .invalidItem, "/title"),
        Refusal(#"{"url":"nowhere"}"#, .invalidItem, "/url"),
        Refusal(#"{"duration":-0.5}"#, .invalidItem, "/duration"),
        Refusal(#"{"publishedAt":"2023-02-29T00:00:00Z"}"#, .invalidItem, "/publishedAt"),
    ]

    @Test(arguments: patches)
    func refusesAPatchOfAnItem(_ refusal: Refusal) {
        refusal.check { _ = try ChangeDecoder().itemPatch($0) }
        let change = #"[{"op":"merge","set":\#(refusal.body),"ids":["a"]}]"#
        Refusal(change, refusal.code, refusal.pointer.map { "/0/set" + $0 }).check {
            _ = try ChangeDecoder().changes($0)
        }
    }

    @Test(arguments: ["[]", "null", "\"liked\"", "true"])
    func aPatchOfAnItemIsAnObject(_ body: String) {
        Refusal(body, .invalidChange, "").check { _ = try ChangeDecoder().itemPatch($0) }
    }

    static let sections: [Refusal] = [
        Refusal(#"{"title":"x"}"#, .invalidItem, ""),
        Refusal(#"{"id":""}"#, .invalidItem, "/id"),
        Refusal(#"{"id":7}"#, .invalidItem, "/id"),
        Refusal(#"{"id":"s\u001f"}"#, .invalidItem, "/id"),
        Refusal(#"{"id":"s","title":null}"#, .invalidItem, "/title"),
        Refusal(#"{"id":"s","title":3}"#, .invalidItem, "/title"),
    ]

    @Test(arguments: sections, ["insertSection", "updateSection"])
    func refusesASection(_ refusal: Refusal, _ op: String) {
        let body = #"[{"op":"\#(op)","sections":[{"id":"r"},\#(refusal.body)]}]"#
        Refusal(body, refusal.code, "/0/sections/1" + (refusal.pointer ?? "")).check {
            _ = try ChangeDecoder().changes($0)
        }
    }

    @Test(arguments: ["id", "revision", "counts", "types", "sections", #"s\u0065ctions"#])
    func aCollectionHasReservedMembers(_ name: String) {
        let pointer = "/0/set/" + (name.hasPrefix("s") ? "sections" : name)
        for value in ["null", "1", "{}"] {
            Refusal(#"[{"op":"updateCollection","set":{"x":1,"\#(name)":\#(value)}}]"#, .invalidItem, pointer)
                .check { _ = try ChangeDecoder().changes($0) }
        }
    }

    @Test(arguments: ["1", "{}", "[]", "true"])
    func aCollectionsTitleIsAString(_ value: String) {
        Refusal(#"[{"op":"updateCollection","set":{"title":\#(value)}}]"#, .invalidItem, "/0/set/title")
            .check { _ = try ChangeDecoder().changes($0) }
    }
}
