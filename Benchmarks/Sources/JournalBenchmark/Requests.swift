/// Requests as bytes, and the items in them.
enum Requests {
    /// An item of about 200 bytes of JSON.
    static func appendItem(_ id: String, _ number: Int, to output: inout [UInt8]) {
        let text =
            #"{"id":"\#(id)","type":"music","liked":false,"title":"A song with the number \#(number)","artist":"Artist"#
            + #" \#(number % 997)","album":"Album \#(number % 4999)","duration":\#(120 + number % 300),"url":"https"#
            + #"://example.com/media/\#(number).mp3"}"#
        output.append(contentsOf: text.utf8)
    }

    /// An `insert` of items `m<number>`.
    static func insert(_ numbers: Range<Int>) -> [UInt8] {
        var body = Array(#"{"changes":[{"op":"insert","items":["#.utf8)
        for number in numbers {
            if number > numbers.lowerBound { body.append(UInt8(ascii: ",")) }
            appendItem("m\(number)", number, to: &body)
        }
        body.append(contentsOf: "]}]}".utf8)
        return body
    }

    /// A `merge` of one member into items `m<number>`.
    static func merge(_ numbers: Range<Int>, plays: Int) -> [UInt8] {
        let ids = numbers.map { "\"m\($0)\"" }.joined(separator: ",")
        return Array(#"{"changes":[{"op":"merge","ids":[\#(ids)],"set":{"plays":\#(plays)}}]}"#.utf8)
    }

    /// A `toggleLike` of the item `m<number>`.
    static func toggleLike(_ number: Int) -> [UInt8] {
        Array(#"{"changes":[{"op":"toggleLike","ids":["m\#(number)"]}]}"#.utf8)
    }

    /// The `PATCH` of a collection.
    static func patch(_ collection: String, _ body: [UInt8]) -> [UInt8] {
        request("PATCH", "/v1/collections/\(collection)", body)
    }

    /// The `PUT` of a collection with one section and so many items.
    static func put(_ collection: String, items: Int) -> [UInt8] {
        var body = Array(#"{"title":"Bench","sections":[{"id":"s","title":"Section","items":["#.utf8)
        for number in 0..<items {
            if number > 0 { body.append(UInt8(ascii: ",")) }
            appendItem("m\(number)", number, to: &body)
        }
        body.append(contentsOf: "]}]}".utf8)
        return request("PUT", "/v1/collections/\(collection)", body)
    }

    static func get(_ path: String) -> [UInt8] { Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) }

    private static func request(_ method: String, _ path: String, _ body: [UInt8]) -> [UInt8] {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Prefer: return=minimal\r\nContent-Length: \(body.count)\r\n\r\n"
        var request: [UInt8] = []
        request.reserveCapacity(head.utf8.count + body.count)
        request.append(contentsOf: head.utf8)
        request.append(contentsOf: body)
        return request
    }
}
