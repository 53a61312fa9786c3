import JSONText
import MedleyCore
import MedleyJSON
import Testing

@testable import MedleyApp

@Suite struct ChangeLinesTests {
    private static let before = #"""
        {"title":"Mix","sections":[{"id":"s","title":"Songs","items":[
        {"id":"a","type":"music","title":"Layla"},{"id":"b","type":"music","title":"Help"},
        {"id":"c","type":"music","liked":true}]},{"id":"t","items":[{"id":"d","type":"music","title":"Bell"}]}]}
        """#

    @Test(arguments: [
        (#"{"op":"delete","ids":["a","c"]}"#, ["deleted   Layla", "deleted   c"]),
        (
            #"{"op":"insert","items":[{"id":"x","type":"music","title":"X"},{"id":"y","type":"music"}],"after":"a"}"#,
            ["inserted  X  after  Layla", "inserted  y  after  X"]
        ),
        (
            #"{"op":"insert","section":"t","after":null,"items":[{"id":"x","type":"music"}]}"#,
            ["inserted  x  first in  t"]
        ),
        (#"{"op":"move","ids":["b"],"after":"d"}"#, ["moved     Help  after  Bell"]),
        (#"{"op":"move","ids":["b"],"section":"s","after":null}"#, ["moved     Help  first in  Songs"]),
        (#"{"op":"like","ids":["a"]}"#, ["liked     Layla"]), (#"{"op":"unlike","ids":["c"]}"#, ["unliked   c"]),
        (#"{"op":"update","items":[{"id":"a","title":"L"}]}"#, ["changed   L  was  Layla"]),
        (
            #"{"op":"merge","ids":["a"],"set":{"n":1,"liked":true}}"#,
            ["liked     Layla", "changed   Layla"]
        ),
        (
            #"{"op":"insertSection","sections":[{"id":"u","title":"U"}],"after":"s"}"#,
            ["section inserted  U  after  Songs"]
        ),
        (#"{"op":"moveSection","ids":["t"],"after":null}"#, ["section moved  t  first"]),
        (#"{"op":"updateSection","sections":[{"id":"s","title":"S"}]}"#, ["section changed  S  was  Songs"]),
        (#"{"op":"deleteSection","ids":["t"]}"#, ["deleted   Bell", "section deleted  t"]),
        (#"{"op":"updateCollection","set":{"title":"M","n":{"a":1}}}"#, [#"collection changed  title: "M", n"#]),
        (
            "{\"op\":\"update\",\"items\":[{\"id\":\"b\",\"title\":\"\\u001b[2J\\u202ea\\u2028\\u0085 👩‍🚀\"}]}",
            ["changed   \\u{1B}[2J\\u{202E}a\\u{2028}\\u{85} 👩‍🚀  was  Help"]
        ),
    ])
    func aChangeIsToldByTitles(_ change: String, lines: [String]) throws {
        let before = try Snapshot(lineage: "a", content: SnapshotDecoder().content(Array(Self.before.utf8)))
        let after = try before.applying(ChangeDecoder().changes(Array("[\(change)]".utf8)))
        guard case .changes(let changes)? = after.changes(since: 1) else {
            Issue.record("no changes")
            return
        }
        let told = ChangeLines(before: before, after: after)
        #expect(changes.flatMap { told.lines(of: $0) } == lines)
    }
}
