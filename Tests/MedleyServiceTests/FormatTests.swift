import HTTPCore
import JSONText
import Journal
import MedleyCore
import MedleyFormats
import MedleyService
import Testing

/// A collection in the formats of players, feed readers and spreadsheets.
@Suite struct FormatTests {
    private static let mix = "/v1/collections/mix"
    private static let large = "/v1/collections/large"

    /// A format as the address names it and as `Accept` does.
    struct Form: Hashable, Sendable, CustomStringConvertible {
        let name: String
        let mediaType: String
        let format: MediaFormat
        let fileName: String
        var contentType: String { mediaType.hasPrefix("text/") ? "\(mediaType); charset=utf-8" : mediaType }
        var description: String { name }
    }

    static let forms = [
        Form(name: "m3u", mediaType: "audio/x-mpegurl", format: .m3u, fileName: "large.m3u8"),
        Form(name: "pls", mediaType: "audio/x-scpls", format: .pls, fileName: "large.pls"),
        Form(name: "xspf", mediaType: "application/xspf+xml", format: .xspf, fileName: "large.xspf"),
        Form(name: "jspf", mediaType: "application/jspf+json", format: .jspf, fileName: "large.jspf"),
        Form(name: "rss", mediaType: "application/rss+xml", format: .rss, fileName: "large.rss"),
        Form(name: "csv", mediaType: "text/csv", format: .csv, fileName: "large.csv"),
        Form(name: "tsv", mediaType: "text/tab-separated-values", format: .tsv, fileName: "large.tsv"),
        Form(name: "jsonl", mediaType: "application/x-ndjson", format: .jsonLines, fileName: "large.jsonl"),
    ]

    /// What an export of a collection gives.
    static func exported(
        _ fixture: ServiceFixture, _ collection: String, _ format: MediaFormat, _ filter: ExportFilter = ExportFilter(),
        address: String? = nil
    ) throws -> [UInt8] {
        let snapshot = try #require(fixture.library.snapshot(of: collection))
        var export = try #require(CollectionExport(snapshot, format: format, address: address, filter: filter))
        var bytes: [UInt8] = []
        while let piece = export.next() { bytes += piece }
        return bytes
    }

    // MARK: What is served

    @Test(arguments: forms)
    func whatIsServedIsTheExportByteForByte(form: Form) async throws {
        let fixture = await LargeCollection.fixture()
        let expected = try Self.exported(fixture, "large", form.format)
        for (target, accept) in [(Self.large, form.mediaType), ("\(Self.large)?format=\(form.name)", "*/*")] {
            let received = await fixture.send("GET", target, [("Accept", accept)])
            #expect(received.status == 200)
            #expect(received.body == expected)
            #expect((received.pieceCount ?? 0) > 5)
            #expect(received.headers["Content-Type"] == form.contentType)
            #expect(received.headers["Content-Disposition"] == "inline; filename=\"\(form.fileName)\"")
            #expect(received.headers["X-Content-Type-Options"] == "nosniff")
            #expect(received.headers["ETag"] == #""lineage1-1;format=\#(form.name)""#)
            #expect(received.headers["Revision"] == "lineage1-1")
            #expect(received.headers["Vary"] == "Accept, Accept-Encoding")
            #expect(received.headers["Cache-Control"] == "no-cache")
            #expect(received.headers["Content-Encoding"] == nil)
        }
    }

    @Test(arguments: forms)
    func aSmallCollectionComesInOnePiece(form: Form) async throws {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", "\(Self.mix)?format=\(form.name)")
        #expect(received.status == 200 && received.pieceCount == nil)
        #expect(received.body == (try Self.exported(fixture, "mix", form.format)))
        let empty = await fixture.send("PUT", Self.mix, json: "{}")
        #expect(empty.status == 200)
        let second = await fixture.send("GET", "\(Self.mix)?format=\(form.name)")
        #expect(second.status == 200)
        #expect(second.body == (try Self.exported(fixture, "mix", form.format)))
    }

    /// What a client makes of what it was served, with the readers of `medley import`.
    @Test(arguments: forms)
    func whatIsServedReadsAsTheCollection(form: Form) async throws {
        let fixture = await LargeCollection.fixture()
        let body = await fixture.send("GET", "\(Self.large)?format=\(form.name)").body
        var (found, reader) = try MediaFile.open(ByteReader(body), name: form.fileName)
        #expect(found == form.format)
        var mapper = RecordMapper(RecordMapping())
        var read: [MappedItem] = []
        while let entry = try reader.next() {
            switch entry {
            case .record(let record):
                let item = mapper.item(of: record)
                read.append(MappedItem(item.content, item.section))
            case .refusal(let refusal): Issue.record("\(refusal)")
            case .notice, .section, .collection: break
            }
        }
        let snapshot = try #require(fixture.library.snapshot(of: "large"))
        let items = snapshot.orderedSections.flatMap { section in
            section.items().map { MappedItem($0.content, section.content) }
        }
        #expect(read.count == items.count)
        #expect(read.map(\.title) == items.map(\.title))
        if form.format != .pls { #expect(read.map(\.id) == items.map(\.id)) }
        if ![.pls, .rss].contains(form.format) {
            #expect(read.map(\.section) == items.map(\.section))
            #expect(read.map(\.type) == items.map(\.type))
            #expect(read.map(\.liked) == items.map(\.liked))
        }
        if ![.pls, .rss, .csv, .tsv].contains(form.format) { #expect(read.map(\.members) == items.map(\.members)) }
    }

    struct MappedItem {
        let id: ItemID
        let type: ItemType?
        let liked: Bool?
        let section: SectionID?
        let members: [[UInt8]: [UInt8]]
        var title: [UInt8]? { members[Array("title".utf8)] }

        init(_ item: ItemContent, _ section: SectionContent?) {
            id = item.id
            type = item.type
            liked = item.liked
            self.section = section?.id
            members = Dictionary(item.model.map { (Array($0.name.utf8), Array($0.value)) }) { $1 }
        }
    }

    @Test(arguments: forms)
    func aStreamedFormatShowsTheStateThatItBeganWith(form: Form) async throws {
        let fixture = await LargeCollection.fixture()
        let expected = try Self.exported(fixture, "large", form.format)
        let stream: any BodyStream = await withCheckedContinuation { continuation in
            let reply = RecordingReply { response in
                if case .stream(let stream) = response.body { continuation.resume(returning: stream) }
            }
            fixture.service.answer(ServiceFixture.request("GET", "\(Self.large)?format=\(form.name)"), reply)
        }
        var pieces = stream.makePieces()
        var body = pieces.next() ?? []
        _ = await fixture.send("PATCH", Self.large, json: #"{"changes":[{"op":"deleteAll"}]}"#)
        while let piece = pieces.next() { body += piece }
        #expect(body == expected)
    }

    /// No turn of a loop makes much more than 64 KiB, gzipped or not.
    @Test(arguments: forms, [false, true])
    func aTurnHasABound(form: Form, isGzip: Bool) async throws {
        let fixture = await LargeCollection.fixture()
        let headers = isGzip ? [("Accept-Encoding", "gzip")] : []
        let stream: any BodyStream = await withCheckedContinuation { continuation in
            let reply = RecordingReply { response in
                if case .stream(let stream) = response.body { continuation.resume(returning: stream) }
            }
            fixture.service.answer(ServiceFixture.request("GET", "\(Self.large)?format=\(form.name)", headers), reply)
        }
        var pieces = stream.makePieces()
        var inTurn = 0
        var most = 0
        var turns = 1
        while let piece = pieces.next() {
            inTurn += piece.count
            most = max(most, inTurn)
            if pieces.endsTurn {
                turns += 1
                inTurn = 0
            }
        }
        #expect(most <= 70_000)
        let size = try Self.exported(fixture, "large", form.format).count
        #expect(turns > size / 70_000)
    }

    // MARK: Conditions and codings

    @Test(arguments: forms)
    func eachFormatIsRevalidatedByItsOwnTag(form: Form) async throws {
        let fixture = await LargeCollection.fixture()
        let target = "\(Self.large)?format=\(form.name)"
        let tag = try #require(await fixture.send("GET", target).headers["ETag"])
        let gzipTag = "\(tag.dropLast());gzip\""
        for method in ["GET", "HEAD"] {
            for (known, status) in [
                (tag, 304), ("W/\(tag)", 304), (gzipTag, 304), ("*", 304), (#""lineage1-1""#, 200),
                (#""lineage1-1;format=json""#, 200), (#""lineage1-2;format=\#(form.name)""#, 200),
            ] {
                let received = await fixture.send(method, target, [("If-None-Match", known)])
                #expect(received.status == status, "\(known)")
                #expect(received.headers["Revision"] == "lineage1-1")
                #expect(received.headers["Vary"] == "Accept, Accept-Encoding")
                if status == 304 {
                    #expect(received.body.isEmpty)
                    #expect(received.headers["ETag"] == (known == gzipTag ? gzipTag : tag))
                }
            }
            // By `Accept` it is the same representation.
            let accepted = await fixture.send(
                method, Self.large, [("Accept", form.mediaType), ("If-None-Match", tag)])
            #expect(accepted.status == 304)
        }
        _ = await fixture.send("PATCH", Self.large, json: #"{"changes":[{"op":"unlike","ids":["i1"]}]}"#)
        let after = await fixture.send("GET", target, [("If-None-Match", tag)])
        #expect(after.status == 200 && after.headers["ETag"] == #""lineage1-2;format=\#(form.name)""#)
        #expect(after.body == (try Self.exported(fixture, "large", form.format)))
    }

    @Test(arguments: forms)
    func gzipInflatesToThePlainExport(form: Form) async throws {
        let fixture = await LargeCollection.fixture()
        _ = await fixture.send("PUT", Self.mix, json: ServiceFixture.mix)
        for collection in ["large", "mix"] {
            let target = "/v1/collections/\(collection)?format=\(form.name)"
            let plain = await fixture.send("GET", target)
            let gzipped = await fixture.send("GET", target, [("Accept-Encoding", "gzip")])
            let isWorthIt = plain.body.count >= 1_024
            #expect(isWorthIt || collection == "mix")
            #expect((gzipped.headers["Content-Encoding"] == "gzip") == isWorthIt)
            guard isWorthIt else { continue }
            #expect(gzipped.headers["ETag"] == plain.headers["ETag"].map { "\($0.dropLast());gzip\"" })
            #expect(gzipped.headers["Content-Type"] == form.contentType)
            #expect(gzipped.body.count < plain.body.count / 2)
            #expect(try GzipTool.inflate(gzipped.body) == plain.body)
        }
    }

    @Test func anEditIsConditionalOnTheTagOfAnyFormat() async throws {
        let fixture = await ServiceFixture.withMix()
        let tag = try #require(await fixture.send("GET", "\(Self.mix)?format=m3u").headers["ETag"])
        let like = #"{"changes":[{"op":"like","ids":["v2"]}]}"#
        #expect(await fixture.send("PATCH", Self.mix, [("If-Match", tag)], json: like).status == 200)
        #expect(await fixture.send("PATCH", Self.mix, [("If-Match", tag)], json: like).status == 412)
    }
}
