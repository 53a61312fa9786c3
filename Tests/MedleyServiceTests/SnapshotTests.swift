import HTTPCore
import Journal
import MedleyCore
import MedleyJSON
import MedleyService
import Testing

@Suite struct SnapshotTests {
    static let mix = "/v1/collections/mix"

    @Test func theSnapshotIsWrittenAsTheProtocolShowsIt() async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", Self.mix)
        #expect(received.status == 200)
        #expect(
            received.text == """
                {"id":"mix","title":"Mix","season":4,"revision":"lineage1-1",\
                "counts":{"sections":3,"items":5},"types":{"music":2,"shortVideo":1,"video":2},"sections":[\
                {"id":"video","title":"Video","items":[\
                {"id":"v1","type":"video","liked":true,"title":"Tide tables"},\
                {"id":"v2","type":"video","liked":false,"title":"Locks and weirs","size":9007199254740993},\
                {"id":"v3","type":"shortVideo","liked":false,"title":"Fog"}]},\
                {"id":"music","title":"Music","items":[\
                {"id":"m1","type":"music","liked":false,"title":"Slow ferry"},\
                {"id":"m2","type":"music","liked":true,"title":"Harbour"}]},\
                {"id":"later","title":"Later","items":[]}]}
                """)
        #expect(received.headers["Content-Type"] == "application/json")
        #expect(received.headers["ETag"] == #""lineage1-1""#)
        #expect(received.headers["Revision"] == "lineage1-1")
        #expect(received.headers["Cache-Control"] == "no-cache")
        #expect(received.headers["Vary"] == "Accept, Accept-Encoding")
        #expect(received.headers["Content-Encoding"] == nil)
    }

    @Test func anEmptyCollectionIsAnObjectLikeOthers() async {
        let fixture = ServiceFixture()
        _ = await fixture.send("PUT", "/v1/collections/a.B_c-1", json: "{}")
        let received = await fixture.send("GET", "/v1/collections/a.B_c-1")
        #expect(
            received.text == #"{"id":"a.B_c-1","title":"","revision":"lineage1-1","counts":{"sections":0,"items":0},"#
                + #""types":{},"sections":[]}"#)
    }

    @Test func aLargeSnapshotIsStreamedAndComesBackAsSent() async {
        let fixture = await LargeCollection.fixture()
        let received = await fixture.send("GET", "/v1/collections/large")
        #expect((received.pieceCount ?? 0) > 5)
        // Spacing aside the server writes what it was sent, members in the order that the source here has too.
        #expect(received.text == LargeCollection.json)
    }

    @Test func aStreamShowsTheSnapshotThatItBeganWith() async {
        let fixture = await LargeCollection.fixture()
        let before = await fixture.send("GET", "/v1/collections/large").body
        let stream: any BodyStream = await withCheckedContinuation { continuation in
            let reply = RecordingReply { response in
                if case .stream(let stream) = response.body { continuation.resume(returning: stream) }
            }
            fixture.service.answer(ServiceFixture.request("GET", "/v1/collections/large"), reply)
        }
        var pieces = stream.makePieces()
        var body = pieces.next() ?? []
        _ = await fixture.send("PATCH", "/v1/collections/large", json: #"{"changes":[{"op":"deleteAll"}]}"#)
        while let piece = pieces.next() { body += piece }
        #expect(body == before)
    }

    @Test func gzipInflatesToThePlainSnapshotByteForByte() async throws {
        let fixture = await LargeCollection.fixture()
        for step in 0..<4 {
            let plain = await fixture.send("GET", "/v1/collections/large")
            let gzipped = await fixture.send("GET", "/v1/collections/large", [("Accept-Encoding", "gzip")])
            #expect(gzipped.headers["Content-Encoding"] == "gzip")
            #expect(gzipped.headers["ETag"] == plain.headers["ETag"].map { "\($0.dropLast());gzip\"" })
            #expect(gzipped.body.count < plain.body.count / 4)
            #expect(try GzipTool.inflate(gzipped.body) == plain.body)
            let change =
                [
                    #"{"op":"like","ids":["i500"]}"#, #"{"op":"move","ids":["i1"],"after":"i1002"}"#,
                    #"{"op":"deleteSection","ids":["s0"]}"#, "",
                ][step]
            _ = await fixture.send("PATCH", "/v1/collections/large", json: #"{"changes":[\#(change)]}"#)
        }
    }

    @Test(arguments: [
        ("gzip", true), ("gzip;q=0", false), ("identity;q=0.1, gzip;q=0.5", true), ("gzip;q=0.1, identity", false),
        ("*", true), ("br", false), ("deflate, GZIP", true),
    ])
    func gzipIsOnlyGivenToThoseWhoWantIt(accepted: String, isGzip: Bool) async throws {
        let fixture = ServiceFixture()
        let title = String(repeating: "a long title ", count: 100)
        _ = await fixture.send("PUT", Self.mix, json: #"{"title":"\#(title)"}"#)
        let received = await fixture.send("GET", Self.mix, [("Accept-Encoding", accepted)])
        #expect((received.headers["Content-Encoding"] == "gzip") == isGzip)
        #expect(received.pieceCount == nil)
        let plain = await fixture.send("GET", Self.mix).body
        if isGzip { #expect(try GzipTool.inflate(received.body) == plain) }
    }

    @Test func whatIsShortIsNotGzipped() async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", Self.mix, [("Accept-Encoding", "gzip")])
        #expect(received.headers["Content-Encoding"] == nil)
        #expect(received.headers["ETag"] == #""lineage1-1""#)
    }

    @Test(arguments: [
        ("models=none", "video: v1 v2 v3, music: m1 m2, later:"),
        ("type=music", "video:, music: m1 m2, later:"),
        ("type=video,shortVideo", "video: v1 v2 v3, music:, later:"),
        ("type=none", "video:, music:, later:"),
        ("type=No%21", "video:, music:, later:"),
        ("liked=true", "video: v1, music: m2, later:"),
        ("liked=false&type=video", "video: v2, music:, later:"),
        ("section=music", "video:, music: m1 m2, later:"),
        ("section=music,video&liked=true&_=1&_x=2", "video: v1, music: m2, later:"),
    ])
    func filtersLeaveSectionsListed(query: String, expected: String) async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", "\(Self.mix)?\(query)")
        let listed = received.sectionItems.map { section, items in
            (["\(section):"] + items).joined(separator: " ")
        }
        #expect(listed.joined(separator: ", ") == expected)
        let counts = received.object["counts"] as? [String: Int]
        #expect(counts == ["sections": 3, "items": 5])
    }

    @Test func withoutModelsAnItemIsItsIdAndType() async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", "\(Self.mix)?models=none")
        #expect(received.text.contains(#""items":[{"id":"m1","type":"music"},{"id":"m2","type":"music"}]"#))
        #expect(received.headers["ETag"] == #""lineage1-1;models=none""#)
    }

    @Test func filteredFormsOfALargeSnapshotAreStreamedAndGzipped() async throws {
        let fixture = await LargeCollection.fixture()
        let plain = await fixture.send("GET", "/v1/collections/large?type=music,video")
        #expect((plain.pieceCount ?? 0) > 2)
        let expected = (1...1_706).filter { $0 % 3 != 2 }.map { "i\($0)" }
        #expect(plain.sectionItems.flatMap(\.1) == expected)
        let gzipped = await fixture.send(
            "GET", "/v1/collections/large?type=music,video", [("Accept-Encoding", "gzip")])
        #expect(try GzipTool.inflate(gzipped.body) == plain.body)
    }

    @Test(arguments: [
        ("?liked=true", ["i5000"]), ("?type=video&models=none", ["i5000"]), ("/items?liked=true", ["i5000"]),
        ("/items?type=none", []),
    ])
    func noTurnLooksAtTooManyItems(target: String, expected: [String]) async throws {
        let fixture = ServiceFixture()
        _ = await fixture.send("PUT", "/v1/collections/sparse", [minimal], json: LargeCollection.sparse)
        let target = "/v1/collections/sparse\(target)"
        let plain = await fixture.send("GET", target)
        #expect(plain.pieceCount == 3)
        #expect(plain.sectionItems.flatMap(\.1) + plain.itemIDs == expected)
        let gzipped = await fixture.send("GET", target, [("Accept-Encoding", "gzip")])
        #expect(gzipped.pieceCount == 3)
        #expect(try GzipTool.inflate(gzipped.body) == plain.body)
    }

    @Test func aStoreIsListedUpToItsLastItem() async {
        let fixture = ServiceFixture()
        _ = await fixture.send("PUT", "/v1/collections/sparse", [minimal], json: LargeCollection.sparse)
        let store = await fixture.send("GET", "/v1/collections/sparse/stores/video")
        #expect(store.itemIDs == ["i5000"])
        #expect(store.pieceCount == 2)
    }

    private let minimal = ("Prefer", "return=minimal")

    @Test func aResetIsWhatTheEncoderWritesOfTheChangesFromNothing() async throws {
        let fixture = await LargeCollection.fixture()
        let received = await fixture.send("GET", "/v1/collections/large/changes")
        let snapshot = try #require(fixture.library.snapshot(of: "large"))
        let answer = ChangesAnswer(
            from: nil, to: snapshot.revision, isReset: true, changes: snapshot.changesFromNothing())
        #expect(received.body == answer.encoded())
        #expect((received.pieceCount ?? 0) > 5)
    }

    @Test func headHasTheFieldsOfGet() async {
        let fixture = await ServiceFixture.withMix()
        for target in ["/v1", "/v1/collections", Self.mix, Self.mix + "/items/v1", Self.mix + "/changes", "/metrics"] {
            let get = await fixture.send("GET", target)
            let head = await fixture.send("HEAD", target)
            #expect(head.status == 200)
            #expect(head.headers == get.headers)
        }
    }
}
