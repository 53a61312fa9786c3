import Foundation
import JSONText
import MedleyCore
import MedleyJSON
import Testing

/// Ids that are easily taken for each other or for something else, through the socket.
@Suite struct IdentifierTests {
    private static let path = "/v1/collections/c"

    /// The last two of the short ones are `é` in its two normal forms, which Swift's strings hold equal.
    private static let texts =
        [
            "a/b", "a%2Fb", "a%2fb", "a%252Fb", "a+b", "a b", "a%20b", "a,b", "a?b&c=d#e", ".", "..", "/", "%", "%25",
            "~",
            "\"", "\\", "\"\\/", "'", "[0]", "null", "A/B", "日本", "👩‍👩‍👧", "👩👩👧", "\u{E9}", "e\u{301}", "\u{FEFF}",
            "\u{10FFFF}",
        ] + lengths.map { String(repeating: $0.0, count: $0.1) }
    /// 255 and 256 bytes.
    private static let lengths = [("x", 255), ("x", 256), ("\u{E9}", 128), ("👩", 64)]
    private static let ids = texts.map { ItemID($0) }

    /// Every byte that is not unreserved as `%XX`, written apart from the server's own encoding.
    private func encoded(_ id: ItemID, isUpper: Bool = true) -> String {
        id.utf8.map { byte in
            let isPlain = Character(UnicodeScalar(byte)).isLetter && byte < 128 || (48...57).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : String(format: isUpper ? "%%%02X" : "%%%02x", Int(byte))
        }.joined()
    }

    private func itemJSON(_ number: Int, liked: Bool, more: String = "") -> [UInt8] {
        var json: [UInt8] = []
        ItemEncoder.append(Self.content(number, liked: liked, more: more), to: &json)
        return json
    }

    private static func content(_ number: Int, liked: Bool? = nil, more: String = "") -> ItemContent {
        let model = JSONMembers(trusted: Array("\"n\":\(number)\(more)".utf8))
        return ItemContent(id: ids[number], type: ItemType("music"), liked: liked, model: model)
    }

    private func held(_ connection: ServerConnection) throws -> (collection: NaiveCollection, revision: Revision) {
        let held = try connection.snapshot("c")
        return (NaiveCollection(try Replica(json: held.json, revision: held.revision).snapshot), held.revision)
    }

    /// A collection with all of them, inserted by one change.
    private func fill(_ connection: ServerConnection) throws {
        let empty = Array(#"{"sections":[{"id":"s"},{"id":"t"}]}"#.utf8)
        #expect(try connection.send("PUT", Self.path, json: empty).status == 201)
        let contents = Self.ids.indices.map { Self.content($0) }
        let (reply, answer) = try connection.patch("c", [Change(.insert(contents, at: .last(in: "s")))])
        try #require(reply.status == 200, "\(reply.text)")
        guard case .insert(let inserted, _)? = answer?.changes?.first?.operation else {
            Issue.record("\(reply.text)")
            return
        }
        #expect(inserted.map(\.id) == Self.ids)
    }

    @Test func theyAreKeptApartAndComeBackAsSent() throws {
        #expect(Set(Self.ids).count == Self.texts.count)
        let running = try RunningServer()
        let connection = try running.connect()
        try fill(connection)
        #expect(try held(connection).collection.sections[0].items.map(\.id) == Self.ids)
        for (number, id) in Self.ids.enumerated() {
            for isUpper in [true, false] {
                let reply = try connection.send("GET", "\(Self.path)/items/\(encoded(id, isUpper: isUpper))")
                #expect(reply.body == itemJSON(number, liked: false), "\(id): \(reply.text)")
            }
        }
        // By a list, in another order than theirs.
        let list = Self.ids.reversed().map { encoded($0) }.joined(separator: ",")
        let listed = try connection.send("GET", "\(Self.path)/items?ids=\(list)")
        let expected = Array(
            Self.ids.indices.reversed().map { itemJSON($0, liked: false) }.joined(separator: [UInt8(ascii: ",")]))
        #expect(listed.body.firstRange(of: expected) != nil, "\(listed.text)")
        // The snapshot is its own PUT.
        let snapshot = try connection.snapshot("c")
        let again = try connection.send("PUT", Self.path, json: snapshot.json)
        #expect(again.status == 200)
        #expect(try connection.snapshot("c") == snapshot)
    }

    @Test func eachIsEditedMovedAndDeletedByItself() throws {
        let running = try RunningServer()
        let connection = try running.connect()
        try fill(connection)
        let merged = JSONMembers(trusted: Array("\"m\":\"\\u00e9\"".utf8))
        for (number, id) in Self.ids.enumerated() {
            let (old, revision) = try held(connection)
            // A merge by change, a like by the item's own path, and a move behind the item before.
            let patch = Array(#"{"changes":[{"op":"merge","ids":["#.utf8) + string(id) + Array(#"],"set":{"#.utf8)
            let reply = try connection.send(
                "PATCH", Self.path, json: patch + merged.bytes + Array("}}]}".utf8))
            #expect(reply.status == 200, "\(reply.text)")
            let like = try connection.send(
                "PATCH", "\(Self.path)/items/\(encoded(id))", json: Array(#"{"liked":true}"#.utf8))
            #expect(like.status == 200, "\(like.text)")
            let place: Place = number == 0 ? .last(in: "t") : .after(Self.ids[number - 1], section: nil)
            #expect(try connection.patch("c", [Change(.move([id], to: place))]).answer != nil)

            let expected = itemJSON(number, liked: true, more: #","m":"\u00e9""#)
            #expect(try connection.send("GET", "\(Self.path)/items/\(encoded(id))").body == expected)
            let answer = try connection.changes("c", since: revision)
            var updates: [ItemID] = []
            var moves: [ItemID] = []
            for change in answer.changes ?? [] {
                switch change.operation {
                case .update(let contents): updates += contents.map(\.id)
                case .move(let ids, _): moves += ids
                default: Issue.record("\(change)")
                }
            }
            #expect((updates, moves) == ([id], [id]))
            let new = try held(connection).collection
            #expect(new.sections[1].items.map(\.id) == Array(Self.ids[...number]))
            #expect(new.sections[0].items == old.sections[0].items.filter { $0.id != id })
        }
        for (number, id) in Self.ids.enumerated() {
            if number % 2 == 0 {
                #expect(try connection.patch("c", [Change(.delete([id]))]).answer != nil)
            } else {
                #expect(try connection.send("DELETE", "\(Self.path)/items/\(encoded(id))").status == 200)
            }
            #expect(try connection.send("GET", "\(Self.path)/items/\(encoded(id))").status == 404)
            #expect(try held(connection).collection.allItems.map(\.id) == Array(Self.ids[(number + 1)...]))
        }
    }

    /// Ids that none may have, as JSON strings.
    private static let refused = [
        #""""#, "\"\(String(repeating: "x", count: 257))\"", "\"\(String(repeating: "\u{E9}", count: 129))\"",
        #""\n""#, #""\u0000""#, #""\u007f""#, #""a\u0085""#, "7", "null", "[]",
    ]

    @Test(arguments: refused)
    func othersAreRefusedAndChangeNothing(id: String) throws {
        let running = try RunningServer()
        let connection = try running.connect()
        try fill(connection)
        let before = try connection.snapshot("c")
        for change in [
            #"{"op":"insert","items":[{"type":"music","id":\#(id)}]}"#, #"{"op":"like","ids":[\#(id)]}"#,
            #"{"op":"insertSection","sections":[{"id":\#(id)}]}"#,
        ] {
            let reply = try connection.send("PATCH", Self.path, json: Array(#"{"changes":[\#(change)]}"#.utf8))
            #expect([400, 422].contains(reply.status), "\(change): \(reply.text)")
            #expect(reply["Content-Type"] == "application/problem+json")
            #expect(reply.text.contains(#""pointer":"/changes/0/"#), "\(reply.text)")
        }
        #expect(try connection.snapshot("c") == before)
    }

    private func string(_ id: ItemID) -> [UInt8] {
        var json: [UInt8] = []
        JSONWriter.append(string: id.utf8, to: &json)
        return json
    }
}
