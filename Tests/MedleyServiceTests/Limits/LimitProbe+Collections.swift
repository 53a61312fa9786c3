import HTTPCore
import Journal
import MedleyCore
import Testing

@testable import MedleyService

extension LimitProbe {
    /// Those of what a collection may hold.
    static let ofCollections: [String: LimitProbe] = [
        "idBytes": LimitProbe(256) { fixture, isOver in
            await put(
                #"{"sections":[{"id":"s","items":[{"id":"\#(text(256, isOver))","type":"a"}]}]}"#, fixture)
        },
        "collectionIdBytes": LimitProbe(128) { fixture, isOver in
            await put("{}", as: text(128, isOver), fixture)
        },
        "modelBytes": LimitProbe(1 << 20) { fixture, isOver in
            let model = text((1 << 20) - #""m":"""#.utf8.count, isOver)
            return await put(
                #"{"sections":[{"id":"s","items":[{"id":"i","type":"a","m":"\#(model)"}]}]}"#, fixture)
        },
        "sectionBytes": LimitProbe(100, { configuration, _ in configuration.limits.sectionBytes = 100 }) {
            fixture, isOver in
            let member = text(100 - #""title":"","m":"""#.utf8.count, isOver)
            return await patch([#"{"op":"insertSection","sections":[{"id":"s","m":"\#(member)"}]}"#], fixture)
        },
        "members": LimitProbe(256) { fixture, isOver in
            // Beside `title` and `season`.
            let members = (0..<(isOver ? 255 : 254)).map { "\"m\($0)\":1" }.joined(separator: ",")
            return await patch([#"{"op":"updateCollection","set":{\#(members)}}"#], fixture)
        },
        "memberBytes": LimitProbe(1 << 20) { fixture, isOver in
            let member = text((1 << 20) - #""title":"Mix","season":4,"m":"""#.utf8.count, isOver)
            return await patch([#"{"op":"updateCollection","set":{"m":"\#(member)"}}"#], fixture)
        },
        "types": LimitProbe(64) { fixture, isOver in
            let items = (0..<(isOver ? 65 : 64)).map { #"{"id":"i\#($0)","type":"t\#($0)"}"# }
            return await put(#"{"sections":[{"id":"s","items":[\#(items.joined(separator: ","))]}]}"#, fixture)
        },
        "collectionItems": LimitProbe(6, { configuration, _ in configuration.limits.collectionItems = 6 }) {
            fixture, isOver in
            let items = #"{"id":"n1","type":"video"}"# + (isOver ? #",{"id":"n2","type":"video"}"# : "")
            return await patch([#"{"op":"insert","items":[\#(items)]}"#], fixture)
        },
        "sections": LimitProbe(4, { configuration, _ in configuration.limits.sections = 4 }) { fixture, isOver in
            await patch(
                [#"{"op":"insertSection","sections":[{"id":"s1"}\#(isOver ? #",{"id":"s2"}"# : "")]}"#], fixture)
        },
        "collectionBytes": LimitProbe(4_000, { configuration, _ in configuration.limits.collectionBytes = 4_000 }) {
            fixture, isOver in
            let before = try #require(fixture.library.snapshot(of: "mix")).approximateByteCount
            let room = 4_000 - before - #","m":"""#.utf8.count
            return await patch([#"{"op":"merge","ids":["v1"],"set":{"m":"\#(text(room, isOver))"}}"#], fixture)
        },
        "collections": LimitProbe(2, { _, commits in commits.collections = 2 }) { fixture, isOver in
            if isOver { _ = await put("{}", fixture) }
            return await put("{}", as: "b", fixture)
        },
    ]
}
