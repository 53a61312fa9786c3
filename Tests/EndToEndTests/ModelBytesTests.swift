import Foundation
import Testing

/// A model comes back as it was sent, byte for byte, on every way that it can take.
@Suite struct ModelBytesTests {
    /// Members of a model, written without spaces.
    private static let models = [
        #""n":9007199254740993,"m":-9007199254740993,"big":123456789012345678901234567890"#,
        #""price":1.10,"zero":-0,"half":0.50,"same":1e400,"small":1E-400,"plus":1e+2,"E":1.0E+05"#,
        #""escaped":"\u00e9\u0041\/\b\f\n\r\t\"\\","plain":"é A / 👩‍👩‍👧","pair":"\ud83d\udc69","zero":"\u0000""#,
        #""z":1,"a":{"z":1,"a":{"y":[],"b":{}}},"m":[1,1.0,1.00,[true,false,null]],"b":2"#,
        #""na\u006de":"escaped name","":"no name","a/b~c":1,"é":2,"e\u0301":3,"liked ":4,"ID":5"#,
        #""title":"\u0054itle","duration":61.50,"url":"HTTP://EXAMPLE.ORG/%7Ea","publishedAt":"2024-02-29T23:59:59.10+01:00""#,
    ]

    @Test(arguments: models)
    func aModelIsKept(model: String) throws {
        let item = #"{"id":"x","type":"music","liked":false,\#(model)}"#
        let (first, second) = (try RunningServer(), try RunningServer())
        let (connection, other) = (try first.connect(), try second.connect())
        let path = "/v1/collections/c"
        for connection in [connection, other] {
            let empty = Array(#"{"sections":[{"id":"s","items":[{"id":"a","type":"video"}]}]}"#.utf8)
            #expect(try connection.send("PUT", path, json: empty).status == 201)
        }
        let start = try connection.snapshot("c").revision
        // Spaces outside of strings are not kept, and the reserved members come first wherever they stood.
        let spaced =
            "{ \(model.replacing(",\"", with: " ,\n\t\"").replacing("\":", with: "\" : ")) , \"type\":\"music\",\"id\":\"x\"}"
        let insertion = try connection.send(
            "PATCH", path, json: Array(#"{"changes":[{"op":"insert","items":[\#(spaced)]}]}"#.utf8))
        #expect(insertion.status == 200)
        #expect(insertion.text.contains(item), "\(insertion.text)")
        let read = try connection.send("GET", "\(path)/items/x")
        #expect(read.body == Array(item.utf8), "\(read.text)")
        let snapshot = try connection.send("GET", path)
        #expect(snapshot.body.firstRange(of: Array(item.utf8)) != nil)
        #expect(try connection.send("GET", "\(path)/stores/music").text.contains(item))

        // On to another collection by the changes as they came, and by the snapshot.
        let changes = try connection.send("GET", "\(path)/changes?since=\(start)").body
        let list = try #require(changes.firstRange(of: Array(#""changes":"#.utf8)))
        let patch = try other.send("PATCH", path, json: Array("{".utf8) + changes[list.lowerBound...])
        #expect(patch.status == 200, "\(patch.text)")
        #expect(try other.send("GET", "\(path)/items/x").body == read.body)
        #expect(
            try other.send(
                "PUT", "/v1/collections/d", json: snapshot.body.replacing(Self.name("c"), with: Self.name("d"))
            ).status == 201)
        #expect(try other.send("GET", "/v1/collections/d/items/x").body == read.body)

        // A like, an edit of another member and its removal touch nothing else.
        let liked = #"{"id":"x","type":"music","liked":true,\#(model)"#
        let merged = try connection.send("PATCH", "\(path)/items/x", json: Array(#"{"liked":true,"added":1.0}"#.utf8))
        #expect(merged.status == 200)
        #expect(try connection.send("GET", "\(path)/items/x").body == Array(#"\#(liked),"added":1.0}"#.utf8))
        _ = try connection.send("PATCH", "\(path)/items/x", json: Array(#"{"added":null}"#.utf8))
        #expect(try connection.send("GET", "\(path)/items/x").body == Array("\(liked)}".utf8))
        // Put again as it is: no revision.
        let held = try connection.snapshot("c")
        #expect(try connection.send("PUT", path, json: held.json).status == 200)
        #expect(try connection.snapshot("c") == held)
    }

    private static func name(_ id: String) -> [UInt8] { Array("{\"id\":\"\(id)\"".utf8) }
}
