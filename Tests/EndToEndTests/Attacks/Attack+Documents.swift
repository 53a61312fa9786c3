import Foundation
import Testing

extension Attack {
    /// Bodies that are well framed and meant to be costly.
    static let documents = [
        Attack(name: "costly JSON", memory: 1 << 30) { server in
            let documents = costly(server.isWhole ? 1_000_000 : 50_000)
            try server.inThreads(4) { index in
                for number in stride(from: index, to: documents.count, by: 4) {
                    let (name, target, method, text) = documents[number]
                    let reply = try server.ask(method, target, json: Array(text.utf8))
                    #expect(reply.status / 100 == 4, "\(name): \(reply.status) \(reply.text.prefix(200))")
                    #expect(reply.body.count < 10_000, "\(name): an error of \(reply.body.count) bytes")
                }
            }
            #expect(try server.ask("GET", "/v1/collections/mix/items/v1").status == 200)
        },
        Attack(name: "a million changes of one item", memory: 1 << 30) { server in
            let count = server.isWhole ? 1_000_000 : 20_000
            let changes = Array(repeating: #"{"op":"toggleLike","ids":["v2"]}"#, count: count).joined(separator: ",")
            let reply = try server.ask("PATCH", "/v1/collections/mix", json: Array(#"{"changes":[\#(changes)]}"#.utf8))
            #expect([200, 413, 422].contains(reply.status), "\(reply.text.prefix(200))")
            // What it comes to is said in a few bytes.
            #expect(reply.body.count < 2_000)
        },
    ]

    private static func costly(_ count: Int) -> [(name: String, target: String, method: String, text: String)] {
        func repeated(_ text: String) -> String { String(repeating: text, count: count) }
        func list(_ make: (Int) -> String) -> String { (0..<count).map(make).joined(separator: ",") }
        let values = [
            ("deep lists", repeated("[") + repeated("]")),
            ("deep lists without an end", repeated("[")),
            ("deep objects", repeated(#"{"a":"#) + "1" + repeated("}")),
            ("a number of many digits", "1" + repeated("0")),
            ("a fraction of many digits", "0." + repeated("9")),
            ("a huge exponent", "1e" + repeated("9")),
            ("many escapes", "\"" + repeated(#"\u0000"#) + "\""),
            ("lone surrogates", "\"" + repeated(#"\ud800"#) + "\""),
            ("many keys", "{" + list { #""k\#($0)":0"# } + "}"),
            ("many keys of one hash length", "{" + list { #""\#(String($0 + 10_000_000))":0"# } + "}"),
            ("a key many times", "{" + list { _ in #""k":0"# } + "}"),
            ("white space", repeated(" ")),
            ("commas", "[" + repeated(",") + "]"),
            ("many empty objects", "[" + list { _ in "{}" } + "]"),
        ]
        var documents = values.map { ($0.0, "/v1/collections/mix", "PATCH", $0.1) }
        documents += values.map {
            (
                "\($0.0) in an item", "/v1/collections/mix", "PATCH",
                #"{"changes":[{"op":"insert","section":"nowhere","items":[{"id":"n","type":"music","x":\#($0.1)}]}]}"#
            )
        }
        documents += values.map { ("\($0.0) for a poll", "/v1/changes", "POST", #"{"since":\#($0.1)}"#) }
        documents += [
            (
                "many ids that are not there", "/v1/collections/mix", "PATCH",
                #"{"changes":[{"op":"delete","ids":[\#(list { #""x\#($0)""# })]}]}"#
            ),
            (
                "one item many times", "/v1/collections/mix", "PATCH",
                #"{"changes":[{"op":"insert","items":[\#(list { _ in #"{"id":"same","type":"music"}"# })]}]}"#
            ),
            (
                "many changes, the last of them wrong", "/v1/collections/mix", "PATCH",
                #"{"changes":[\#(list { _ in #"{"op":"like","ids":["v1"]}"# }),{"op":"like","ids":["nobody"]}]}"#
            ),
            ("a poll of many", "/v1/changes", "POST", #"{"since":{\#(list { #""c\#($0)":"a-1""# })}}"#),
        ]
        return documents
    }
}
