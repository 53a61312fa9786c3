import Foundation
import JSONText
import MedleyApp
import MedleyClient
import MedleyCore
import Synchronization
import Testing

@Suite struct ImportCommandTests {
    /// What a run of the command gave.
    struct Run {
        var status: Int32
        var printed: String
        var errors: String
    }

    /// Writes a file, imports it and removes it.
    static func run(
        _ text: String, _ options: [String], into collection: CollectionInMemory, isTerminal: Bool = false
    ) async throws -> Run {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var run = await Self.run(
            [file.path, "--into", "http://h/v1/collections/mix"] + options, collection.transport, isTerminal)
        run.errors = run.errors.replacingOccurrences(of: file.path, with: "FILE")
        return run
    }

    static func run(
        _ arguments: [String], _ transport: ClientTransport, _ isTerminal: Bool = false,
        interruption: Interruption = Interruption()
    ) async -> Run {
        let printed = Mutex("")
        let errors = Mutex("")
        let output = CommandOutput(
            print: { line in printed.withLock { $0 += line + "\n" } },
            error: { text in errors.withLock { $0 += text } },
            isTerminal: isTerminal)
        let status = await ImportCommand.run(
            arguments, output: output, transport: transport, retries: .immediate, interruption: interruption)
        return Run(status: status, printed: printed.withLock { $0 }, errors: errors.withLock { $0 })
    }

    /// Sections with their items' ids.
    static func layout(_ collection: CollectionInMemory) async -> [String] {
        await collection.snapshot?.orderedSections.map { section in
            "\(section.id): " + section.items().map { "\($0.id)\($0.liked ? "*" : "")" }.joined(separator: " ")
        } ?? []
    }

    /// A playlist names a collection that it makes, and renames none.
    @Test func keepsTheTitleAndTypesOfACollectionThatIsThere() async throws {
        let collection = CollectionInMemory()
        let one = "#EXTM3U\n#PLAYLIST:One\nhttps://e.example/a.mp3\n"
        _ = try await Self.run(one, ["--type", "shortVideo"], into: collection)
        #expect(await collection.snapshot?.members.string(of: "title").map(Array.init) == Array("One".utf8))
        // What the file's name implies says nothing against the type that the item has.
        let again = try await Self.run(one.replacingOccurrences(of: "One", with: "Two"), [], into: collection)
        #expect(again.status == 0 && again.errors.isEmpty)
        #expect(await collection.snapshot?.members.string(of: "title").map(Array.init) == Array("One".utf8))
        _ = try await Self.run("#EXTM3U\nhttps://e.example/b.mp3\nc.avi\nhttps://e.example/d\n", [], into: collection)
        let types = await collection.snapshot?.orderedSections.flatMap { $0.items().map { "\($0.type)" } }
        #expect(types == ["shortVideo", "music", "video", "item"])
    }

    @Test func importsOnceAndAgain() async throws {
        let collection = CollectionInMemory()
        let table = "id,Song,Band\n1,Layla,Derek\n2,Help,Beatles\n3,Bell,Derek\n"
        let options = ["--type", "music", "--section", "Band", "--map", "title=Song"]
        let first = try await Self.run(table, options, into: collection)
        #expect(first.status == 0 && first.errors.isEmpty)
        #expect(
            first.printed == "read 3, inserted 3, updated 0, unchanged 0, refused 0, new sections 2, revision test-2\n")
        #expect(await Self.layout(collection) == ["Derek: 1 3", "Beatles: 2"])
        let again = try await Self.run(table, options, into: collection)
        #expect(again.printed == "read 3, inserted 0, updated 0, unchanged 3, refused 0, revision test-2\n")
        // Another client likes and moves; the file gains a row and changes one.
        try await collection.apply([
            Change(.setLiked(["1"], true)), Change(.move(["1"], to: .last(in: "Beatles"))),
        ])
        let edited = "id,Song,Band\n0,Badge,Cream\n1,Layla!,Derek\n2,Help,Beatles\n3,Bell,Derek\n4,Anyday,Derek\n"
        let third = try await Self.run(edited, options, into: collection)
        #expect(
            third.printed == "read 5, inserted 2, updated 1, unchanged 2, refused 0, new sections 1, revision test-4\n")
        #expect(await Self.layout(collection) == ["Derek: 3 4", "Beatles: 2 1*", "Cream: 0"])
        let model = await collection.snapshot?.item("1")?.model
        #expect(model.map { String(decoding: $0.bytes, as: UTF8.self) } == #""title":"Layla!","Band":"Derek""#)
    }

    @Test func aDryRunTellsWhatWouldChangeAndSendsNothing() async throws {
        let collection = CollectionInMemory()
        let fresh = try await Self.run("id,title\na,A\nb,B\n", ["--dry-run"], into: collection)
        #expect(fresh.printed.hasPrefix("nothing was sent; it would be: read 2, inserted 2, updated 0"))
        #expect(fresh.printed.contains("inserted  A"))
        #expect(await collection.snapshot == nil)
        _ = try await Self.run("id,title\na,A\nb,B\nc,C\n", [], into: collection)
        let edits = await collection.edits
        let table = "id,title\nc,C\na,AA\nd,D\n"
        let options = ["--order", "source", "--prune"]
        let dry = try await Self.run(table, options + ["--dry-run"], into: collection)
        #expect(dry.status == 0 && dry.errors.isEmpty)
        #expect(
            dry.printed == """
                nothing was sent; it would be: read 3, inserted 1, updated 1, unchanged 1, refused 0, moved 1, deleted 1
                deleted   B
                moved     C  first in  Items
                inserted  D  after  AA
                changed   AA  was  A

                """)
        #expect(await collection.edits == edits)
        let real = try await Self.run(table, options, into: collection)
        #expect(
            real.printed
                == "read 3, inserted 1, updated 1, unchanged 1, refused 0, moved 1, deleted 1, revision test-4\n")
        #expect(await Self.layout(collection) == ["items: c a d"])
        let again = try await Self.run(table, options + ["--dry-run"], into: collection)
        #expect(
            again.printed
                == "nothing was sent; it would be: read 3, inserted 0, updated 0, unchanged 3, refused 0\n")
    }

    @Test func aDryRunShowsSoManyChangesAndCountsTheRest() async throws {
        let rows = "id\n" + (0..<1_500).map { "\($0)\n" }.joined()
        let dry = try await Self.run(rows, ["--dry-run"], into: CollectionInMemory())
        #expect(dry.printed.split(separator: "\n").count == 202)
        #expect(dry.printed.hasSuffix("and 1302 more\n"), "\(dry.printed.suffix(40))")
    }

    @Test(arguments: [
        ("{\"id\":\"a\"}\n{\"id\":\n", "line 2"), ("[{\"id\":\"a\"},{\"id\":", "the file ends inside the JSON array"),
    ])
    func nothingIsDeletedIfNotAllOfTheFileCanBeRead(_ text: String, reason: String) async throws {
        let collection = CollectionInMemory()
        _ = try await Self.run("id\na\nb\n", [], into: collection)
        let run = try await Self.run(text, ["--prune"], into: collection)
        #expect(run.status == 1 && run.errors.contains(reason))
        #expect(run.errors.contains("nothing was deleted, since not all of the file could be read"))
        #expect(await Self.layout(collection) == ["items: a b"])
    }

    @Test func readsAFormatThatIsStated() async throws {
        let collection = CollectionInMemory()
        let run = try await Self.run("one.mp3\ntwo.mp3\n", ["--format", "m3u"], into: collection)
        #expect(run.printed.hasPrefix("read 2, inserted 2"))
        #expect(await collection.snapshot?.stores.map { "\($0.type)" } == ["music"])
        let wrong = try await Self.run("one.mp3\n", ["--format", "xspf"], into: collection)
        #expect(wrong.status == 1 && wrong.errors.hasPrefix("medley import: line 1: not XML"))
    }

    @Test func whatAFileSaysDoesNothingToTheTerminal() async throws {
        let table = "id,\u{1B}[2Jx,\u{1B}[2Jx\n1,a,b\n"
        let run = try await Self.run(table, [], into: CollectionInMemory())
        #expect(run.errors.contains("\\u{1B}[2Jx") && !run.errors.contains("\u{1B}"), "\(run.errors)")
        let dry = try await Self.run("id,title\n1,\u{1B}[2Jx\n", ["--dry-run"], into: CollectionInMemory())
        #expect(dry.printed.contains("\\u{1B}[2Jx") && !dry.printed.contains("\u{1B}"), "\(dry.printed)")
    }

    /// What is in stays, and the same command goes on.
    @Test func stopsBetweenTwoBatches() async throws {
        let collection = CollectionInMemory()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)")
        try Data(("id\n" + (0..<7_200).map { "\($0)\n" }.joined()).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let interruption = Interruption()
        let inner = collection.transport
        let transport = ClientTransport { request throws(ClientError) in
            let response = try await inner.send(request)
            if request.method == "PATCH" { interruption.raise() }
            return response
        }
        let arguments = [file.path, "--into", "http://h/v1/collections/mix", "--prune"]
        let stopped = await Self.run(arguments, transport, interruption: interruption)
        #expect(stopped.status == 130)
        let count = await collection.snapshot?.itemCount ?? 0
        #expect(count > 0 && count < 7_200)
        #expect(stopped.printed.contains("inserted \(count),"), "\(stopped.printed)")
        #expect(stopped.errors.contains("stopped; the same command goes on"))
        let rest = await Self.run(arguments, inner)
        #expect(rest.status == 0)
        #expect(rest.printed.contains("inserted \(7_200 - count), updated 0, unchanged \(count)"), "\(rest.printed)")
    }

    @Test func sendsManyRecordsInBatches() async throws {
        let collection = CollectionInMemory()
        let lines = (0..<4801).map { #"{"id":"\#($0)","g":\#($0 % 3)}"# }.joined(separator: "\n")
        let run = try await Self.run(lines, ["--section", "g"], into: collection)
        #expect(run.printed.hasPrefix("read 4801, inserted 4801, updated 0, unchanged 0, refused 0, new sections 3"))
        #expect(await collection.edits == 4)
        let order = await collection.snapshot?.section("1")?.items().map(\.id.description) ?? []
        #expect(order == (0..<4801).filter { $0 % 3 == 1 }.map(String.init))
    }

    @Test func putsItemsWithoutASectionInTheLastOne() async throws {
        let collection = CollectionInMemory()
        _ = try await Self.run("id\na\n", [], into: collection)
        #expect(await Self.layout(collection) == ["items: a"])
        try await collection.apply([Change(.insertSection([SectionContent(id: "x", members: .empty)], at: .last))])
        _ = try await Self.run("id\na\nb\n", [], into: collection)
        #expect(await Self.layout(collection) == ["items: a", "x: b"])
        #expect(await collection.snapshot?.item("a")?.type.name == "item")
    }

    @Test func takesOverASnapshot() async throws {
        let collection = CollectionInMemory()
        let text =
            #"{"title":"Mix","mood":"calm","sections":[{"id":"a","title":"A","items":[{"id":"1","type":"music","#
            + #""liked":true}]},{"id":"empty","title":"E"},{"id":"b","items":[{"id":"2"}]}]}"#
        let run = try await Self.run(text, [], into: collection)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(await Self.layout(collection) == ["a: 1*", "empty: ", "b: 2"])
        #expect(
            await collection.snapshot.map { String(decoding: $0.members.bytes, as: UTF8.self) }
                == #""title":"Mix","mood":"calm""#)
        let revision = await collection.snapshot?.revision
        let again = try await Self.run(text, [], into: collection)
        #expect(again.printed.contains("unchanged 2"))
        #expect(await collection.snapshot?.revision == revision)
        let edited = text.replacingOccurrences(of: "calm", with: "wild").replacingOccurrences(
            of: #""A""#, with: #""AA""#)
        _ = try await Self.run(edited, [], into: collection)
        #expect(
            await collection.snapshot.map { String(decoding: $0.members.bytes, as: UTF8.self) }
                == #""title":"Mix","mood":"wild""#)
        let section = await collection.snapshot?.section("a")?.members
        #expect(section.map { String(decoding: $0.bytes, as: UTF8.self) } == #""title":"AA""#)
    }

    @Test func saysWhichMappedFieldNoRecordHas() async throws {
        let run = try await Self.run("[{\"a\":1}]", ["--map", "title=b"], into: CollectionInMemory())
        #expect(run.status == 0 && run.errors == "FILE: line 1: no record has a field \"b\"\n")
    }

    @Test func drawsProgressOnATerminalOnly() async throws {
        let rows = "id\n" + (0..<2400).map { "\($0)\n" }.joined()
        let run = try await Self.run(rows, [], into: CollectionInMemory(), isTerminal: true)
        #expect(run.errors.contains("[#") && run.errors.contains("% 2000 records"))
        #expect(run.errors.hasSuffix("\r\u{1B}[K"))
        #expect(try await Self.run(rows, [], into: CollectionInMemory()).errors.isEmpty)
    }

    /// A file that is read whole is read before anything of it is in.
    @Test func drawsNoShareOfWhatIsReadWhole() async throws {
        let outlines = (0..<2400).map { "<outline text='\($0)'/>" }.joined()
        let run = try await Self.run(
            "<opml><body>\(outlines)</body></opml>", [], into: CollectionInMemory(), isTerminal: true)
        #expect(run.status == 0 && run.errors.contains("2000 records") && !run.errors.contains("%"), "\(run)")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for number in 0..<3 { try Data([0]).write(to: folder.appendingPathComponent("\(number).mp3")) }
        let listed = await Self.run(
            [folder.path, "--into", "http://h/v1/collections/mix"], CollectionInMemory().transport, true)
        #expect(listed.errors.contains("3 records") && !listed.errors.contains("%"), "\(listed)")
    }

    @Test(arguments: [
        ([], "which file?"), (["f"], "where to?"), (["f", "--into"], "--into needs a value"),
        (["f", "g", "--into", "http://h/v1/collections/a"], "one file at a time: g"),
        (["f", "--frob"], "unknown option --frob"),
        (["f", "--into", "http://h/v1/collections/a", "--type", "Big Film"], "--type: \"Big Film\""),
        (["f", "--into", "http://h/v1/collections/a", "--map", "x"], "--map: not MEMBER=FIELD: x"),
        (["f", "--type=a", "--type=b"], "--type: given twice"),
        (["f", "--into", "http://h/v1/collections/a", "--format", "exe"], "--format: exe is none of csv, tsv, json"),
        (["f", "--order", "name"], "--order: there is only: source"), (["f", "--prune=yes"], "--prune has no value"),
        (["f", "--into", "h:8080/v1/collections/a"], "--into: h:8080/v1/collections/a: "),
        (["f", "--into", "http://h/v1"], "--into: http://h/v1: no collection named"),
        (["f", "--into", "http://h/v1/collections/"], "--into: http://h/v1/collections/: no collection named"),
        (["f", "--into", "http://h/v1/collections/a/items"], "--into: http://h/v1/collections/a/items: no collection"),
        (["f", "--into", "http://h/v1/collections/-a"], "--into: http://h/v1/collections/-a: \"-a\" cannot be"),
        (["f", "--into", "http://h/v1/collections/a?x=1"], "--into: http://h/v1/collections/a?x=1: a query"),
    ])
    func saysWhatIsWrongWithTheArguments(_ arguments: [String], message: String) async {
        let run = await Self.run(arguments, CollectionInMemory().transport)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("medley import: \(message)"), "\(run.errors)")
        #expect(run.errors.contains("usage: medley import"))
    }

    @Test(arguments: [
        ("http://h:8080/v1/collections/a.b-c_D/", "http://h:8080/v1/collections/a.b-c_D", "a.b-c_D"),
        ("https://h/prefix/v1/collections/%61", "https://h/prefix/v1/collections/a", "a"),
        ("http://[::1]:80/v1/collections/x", "http://[::1]:80/v1/collections/x", "x"),
    ])
    func readsURLs(_ text: String, url: String, id: String) throws {
        let read = try CollectionURL(text)
        #expect(read.description == url && read.collectionID == id)
    }
}

extension RetryPolicy {
    /// Tries as often as usual, without pauses.
    static let immediate = RetryPolicy(sleep: { _ in })
}
