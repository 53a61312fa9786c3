import Foundation
import JSONText
import MedleyClient
import MedleyCore
import MedleyJSON
import Testing

@Suite struct EditTests {
    private static let done = ClientResponse.changes("a-1", "a-2", #"[{"op":"delete","ids":["x"]}]"#)

    private func keys(_ server: ScriptedServer) -> [String] {
        server.requests.map { $0.headers["Idempotency-Key"] ?? "" }
    }

    private func body(_ server: ScriptedServer) -> String {
        String(decoding: server.requests.last?.body ?? [], as: UTF8.self)
    }

    @Test(
        arguments: [
            ([.isLost], [0.25]), ([.isLost, .isLost], [0.25, 0.5]), ([.answers(.problem(500, "internal"))], [0.25]),
            ([.answers(.problem(503, "storage-failed", retryAfter: "2"))], [2.25]),
            ([.answers(.problem(429, "too-many-requests", retryAfter: "1")), .isLost], [1.25, 0.5]),
            ([.answers(.problem(409, "key-in-use"))], [0.25]), ([.answers(ClientResponse(status: 502))], [0.25]),
        ] as [([ScriptedServer.Line], [Double])])
    func anEditIsMadeAgainUnderItsKey(_ faults: [ScriptedServer.Line], pauses: [Double]) async throws {
        let server = ScriptedServer(faults + [.answers(Self.done)])
        let answer = try await server.collection.delete(["x"])
        #expect(answer.to == Revision("a-2"))
        #expect(server.requests.count == faults.count + 1)
        #expect(Set(server.requests).count == 1)
        #expect(Set(keys(server)).count == 1 && !keys(server).contains(""))
        #expect(server.pauses == pauses)
    }

    @Test func eachEditHasAKeyOfItsOwnUnlessOneIsGiven() async throws {
        let server = ScriptedServer(Array(repeating: .answers(Self.done), count: 3))
        let collection = try server.collection
        try await collection.like(["x"])
        try await collection.like(["x"])
        try await collection.edit([Change(.setLiked(["x"], true))], key: "mine")
        #expect(Set(keys(server)).count == 3)
        #expect(keys(server).last == "mine")
    }

    @Test func anEditIsGivenUpAfterItsTries() async throws {
        let lost = ScriptedServer(Array(repeating: .isLost, count: 7))
        var error = await #expect(throws: ClientError.self) { try await lost.collection.delete(["x"]) }
        #expect(error?.code == .unreachable)
        #expect(lost.pauses == [0.25, 0.5, 1, 2, 4, 8])
        let busy = ScriptedServer([.answers(.problem(503, "overloaded", retryAfter: "31"))])
        error = await #expect(throws: ClientError.self) { try await busy.collection.delete(["x"]) }
        #expect(error?.problem?.code == "overloaded")
        #expect(busy.pauses.isEmpty)
    }

    @Test func aRefusalSaysWhatIsWrong() async throws {
        let server = ScriptedServer([
            .answers(.problem(404, "item-not-found", #","pointer":"/changes/0/ids/0""#)),
            .answers(
                .problem(
                    412, "revision-stale",
                    #","current":"a-3","from":"a-1","to":"a-3","changes":[{"op":"delete","ids":["y"]}]"#)),
        ])
        let collection = try server.collection
        let missing = await #expect(throws: ClientError.self) { try await collection.delete(["x"]) }
        #expect(missing?.code == .refused)
        #expect(
            missing?.problem
                == ServerProblem(
                    code: "item-not-found", status: 404, title: "T", detail: "D", pointer: "/changes/0/ids/0"))
        let stale = await #expect(throws: ClientError.self) {
            try await collection.edit([Change(.delete(["x"]))], base: Revision("a-1"), ifRevision: Revision("a-1"))
        }
        #expect(stale?.problem?.current == Revision("a-3"))
        #expect(stale?.problem?.difference?.changes == [Change(.delete(["y"]))])
        #expect(stale?.problem?.difference?.from == Revision("a-1"))
        #expect(body(server) == #"{"base":"a-1","ifRevision":"a-1","changes":[{"op":"delete","ids":["x"]}]}"#)
    }

    @Test func eachOperationSendsItsChange() async throws {
        let title = JSONMembers(trusted: Array(#""title":"T""#.utf8))
        let item = ItemContent(id: "x", type: ItemType("music"), liked: nil, model: title)
        let section = SectionContent(id: "s", members: title)
        var scanner = JSONScanner(Array(#"{"a":null}"#.utf8))
        let patch = try JSONMergePatch(from: &scanner)
        let operations: [(String, @Sendable (CollectionClient) async throws -> Void)] = [
            (#"{"op":"insert","items":[{"id":"x","type":"music","title":"T"}]}"#, { try await $0.insert([item]) }),
            (
                #"{"op":"upsert","items":[{"id":"x","type":"music","title":"T"}],"after":"y"}"#,
                { try await $0.upsert([item], at: .after("y", section: nil)) }
            ),
            (#"{"op":"delete","ids":["x"]}"#, { try await $0.delete(["x"]) }),
            (
                #"{"op":"move","ids":["x"],"section":"s","after":null}"#,
                { try await $0.move(["x"], to: .first(in: "s")) }
            ),
            (#"{"op":"reorder","section":"s","ids":["y","x"]}"#, { try await $0.reorder("s", ["y", "x"]) }),
            (#"{"op":"update","items":[{"id":"x","type":"music","title":"T"}]}"#, { try await $0.update([item]) }),
            (#"{"op":"merge","ids":["x"],"set":{"a":null}}"#, { try await $0.merge(["x"], ItemPatch(model: patch)) }),
            (#"{"op":"like","ids":["x"]}"#, { try await $0.like(["x"]) }),
            (#"{"op":"unlike","ids":["x"]}"#, { try await $0.unlike(["x"]) }),
            (#"{"op":"toggleLike","ids":["x"]}"#, { try await $0.toggleLike(["x"]) }),
            (#"{"op":"insertSection","sections":[{"id":"s","title":"T"}]}"#, { try await $0.insertSection([section]) }),
            (#"{"op":"moveSection","ids":["s"],"after":null}"#, { try await $0.moveSection(["s"], to: .first) }),
            (#"{"op":"updateSection","sections":[{"id":"s","title":"T"}]}"#, { try await $0.updateSection([section]) }),
            (#"{"op":"deleteSection","ids":["s"]}"#, { try await $0.deleteSection(["s"]) }),
            (#"{"op":"deleteAll"}"#, { try await $0.deleteAll() }),
            (#"{"op":"updateCollection","set":{"a":null}}"#, { try await $0.updateCollection(patch) }),
        ]
        for (change, operation) in operations {
            let server = ScriptedServer([.answers(Self.done)])
            try await operation(server.collection)
            #expect(body(server) == #"{"changes":[\#(change)]}"#)
            #expect(server.requests.first?.method == "PATCH")
            #expect(server.requests.first?.url == "http://h/v1/collections/mix")
            #expect(server.requests.first?.headers["Content-Type"] == "application/json")
        }
    }

    @Test func wholeCollectionsArePutAndDeleted() async throws {
        let title = JSONMembers(trusted: Array(#""title":"T""#.utf8))
        let content = SnapshotContent(
            members: title,
            sections: [
                .init(
                    content: SectionContent(id: "s", members: title),
                    items: [ItemContent(id: "x", type: ItemType("music"), liked: true, model: .empty)])
            ])
        let server = ScriptedServer([
            .answers(.everything), .answers(.problem(412, "revision-stale")), .answers(Self.done),
            .answers(ClientResponse(status: 204)), .answers(.notFound), .isLost, .answers(.notFound),
        ])
        let collection = try server.collection
        #expect(try await collection.create(content)?.to == Revision("a-1"))
        #expect(
            body(server)
                == #"{"title":"T","sections":[{"id":"s","title":"T","items":[{"id":"x","type":"music","liked":true}]}]}"#
        )
        #expect(server.requests.last?.headers["If-None-Match"] == "*")
        #expect(try await collection.create(content) == nil)
        #expect(try await collection.replace(with: content).to == Revision("a-2"))
        #expect(server.requests.last?.headers["If-None-Match"] == nil)
        #expect(try await collection.deleteCollection())
        #expect(try await !collection.deleteCollection())
        // The answer to the first try was lost; it may well have been the one that deleted.
        #expect(try await collection.deleteCollection())
        #expect(server.requests.last?.method == "DELETE")
    }

    @Test func itemsAreReadByTheirIds() async throws {
        let server = ScriptedServer([
            .answers(
                ClientResponse(
                    status: 200,
                    body: Array(
                        #"{"revision":"a-1","items":[{"id":"é,.","type":"music","liked":true,"n":1.10}],"missing":["x"]}"#
                            .utf8))),
            .answers(.notFound), .isLost,
        ])
        let collection = try server.collection
        let answer = try #require(try await collection.items(["é,.", "x"]))
        #expect(server.requests.first?.url == "http://h/v1/collections/mix/items?ids=%C3%A9%2C%2E,x")
        #expect(answer.revision == Revision("a-1"))
        #expect(answer.missing == ["x"])
        #expect(answer.items.map(\.id) == ["é,."])
        #expect(answer.items.first?.model == JSONMembers(trusted: Array(#""n":1.10"#.utf8)))
        #expect(try await collection.items(["x"]) == nil)
        // Reading is not made again: whoever reads can.
        await #expect(throws: ClientError.self) { try await collection.items(["x"]) }
    }

    @Test func collectionsAreListed() async throws {
        let list =
            #"{"collections":[{"id":"mix","title":"Mix \"1\"","revision":"a-1","counts":{"sections":2,"items":82}}]}"#
        let server = ScriptedServer([
            .answers(ClientResponse(status: 200, body: Array(list.utf8))),
            .answers(ClientResponse(status: 200, body: Array("[]".utf8))), .answers(.notFound),
        ])
        let client = try #require(server.client)
        let revision = try #require(Revision("a-1"))
        #expect(
            try await client.collections() == [
                CollectionSummary(id: "mix", title: "Mix \"1\"", revision: revision, sectionCount: 2, itemCount: 82)
            ])
        #expect(server.requests.first?.url == "http://h/p/v1/collections")
        await #expect(throws: ClientError.self) { try await client.collections() }
        #expect(try await client.collection("mix").outline() == nil)
        #expect(server.requests.last?.url == "http://h/p/v1/collections/mix?models=none")
    }

    @Test func aCancelledEditEndsAtOnce() async throws {
        let server = ScriptedServer([])
        let collection = try server.collection
        let task = Task { try await collection.like(["x"]) }
        var held = server.held.makeAsyncIterator()
        #expect(await held.next() != nil)
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(server.requests.count == 1)
    }
}
