import Foundation
import MedleyApp
import MedleyCore
import Synchronization
import Testing

/// Broken files of every format, by the command and over HTTP: a clear word, no crash, and nothing in that is not told.
@Suite struct BrokenImportTests {
    /// A whole file of a format, with two entries.
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let type: String
        let text: String
        /// Whether what stands before a fault is imported by the command.
        let keepsWhatCameBefore: Bool
        /// How many entries are imported if the first one's title is not UTF-8 but Latin-1.
        let latin1: Int

        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "a.csv", type: "text/csv", text: "id,title,note\n1,One,\"a, b\"\n2,Two,\"c, d\"\n",
            keepsWhatCameBefore: true, latin1: 1),
        Sample(
            name: "a.tsv", type: "text/tab-separated-values",
            text: "id\ttitle\tnote\n1\tOne\tx\n2\tTwo\t\"long text\"\n",
            keepsWhatCameBefore: true, latin1: 1),
        Sample(
            name: "a.json", type: "application/json",
            text: "[\n{\"id\":\"1\",\"title\":\"One\"},\n{\"id\":\"2\",\"title\":\"Two, which is long\"}\n]",
            keepsWhatCameBefore: true, latin1: 1),
        Sample(
            name: "a.jsonl", type: "application/x-ndjson",
            text: "{\"id\":\"1\",\"title\":\"One\"}\n{\"id\":\"2\",\"title\":\"Two, which is long\"}\n",
            keepsWhatCameBefore: true, latin1: 1),
        Sample(
            name: "snapshot.json", type: "application/json",
            text:
                "{\"title\":\"M\",\"sections\":[{\"id\":\"s\",\"title\":\"S\",\"items\":[\n{\"id\":\"1\",\"title\":\"One\"},\n"
                + "{\"id\":\"2\",\"title\":\"Two\"}]}]}",
            keepsWhatCameBefore: false, latin1: 0),
        Sample(
            name: "a.jspf", type: "application/jspf+json",
            text: "{\"playlist\":{\"title\":\"M\",\"track\":[{\"location\":[\"http://e.example/1\"],\"title\":\"One\"},"
                + "{\"location\":[\"http://e.example/2\"],\"title\":\"Two\"}]}}", keepsWhatCameBefore: false, latin1: 0),
        Sample(
            name: "a.xspf", type: "application/xspf+xml",
            text: "<?xml version=\"1.0\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList>"
                + "<track><location>http://e.example/1</location><title>One</title></track>\n"
                + "<track><location>http://e.example/2</location></track></trackList></playlist>",
            keepsWhatCameBefore: false, latin1: 0),
        Sample(
            name: "a.rss", type: "application/rss+xml",
            text: "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>C</title><item><guid>1</guid>"
                + "<title>One</title></item>\n<item><guid>2</guid><title>Two</title></item></channel></rss>",
            keepsWhatCameBefore: false, latin1: 0),
        Sample(
            name: "a.atom", type: "application/atom+xml",
            text: "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><id>1</id><title>One</title></entry>\n"
                + "<entry><id>2</id><title>Two</title></entry></feed>", keepsWhatCameBefore: false, latin1: 0),
        Sample(
            name: "a.opml", type: "text/x-opml",
            text: "<opml version=\"2.0\"><body><outline text=\"One\" xmlUrl=\"http://e.example/1\"/>\n"
                + "<outline text=\"Two\" xmlUrl=\"http://e.example/2\"/></body></opml>", keepsWhatCameBefore: false,
            latin1: 0),
        Sample(
            name: "a.plist", type: "application/x-plist",
            text: "<plist version=\"1.0\"><dict><key>Tracks</key><dict><key>1</key><dict><key>Persistent ID</key>"
                + "<string>A1</string><key>Name</key><string>One</string></dict>\n<key>2</key><dict><key>Persistent ID"
                + "</key><string>A2</string><key>Name</key><string>Two</string></dict></dict></dict></plist>",
            keepsWhatCameBefore: false, latin1: 0),
        Sample(
            name: "a.m3u", type: "audio/x-mpegurl",
            text: "#EXTM3U\n#EXTINF:10,One\nhttp://e.example/1.mp3\n#EXTINF:20,Two\nhttp://e.example/2.mp3\n",
            keepsWhatCameBefore: true, latin1: 2),
        Sample(
            name: "a.pls", type: "audio/x-scpls",
            text: "[playlist]\nFile1=http://e.example/1\nTitle1=One\nFile2=http://e.example/2\nTitle2=Two\n",
            keepsWhatCameBefore: true, latin1: 2),
    ]

    /// What an import over HTTP gave.
    private func post(_ sample: Sample, _ body: [UInt8], to running: RunningServer) throws -> (
        status: Int, text: String
    ) {
        let client = try TestClient(port: running.port)
        let head =
            "POST /v1/collections/http/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(sample.type)\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        try client.send(Array(head.utf8) + body)
        let reply = try client.receive()
        return (reply.status, reply.text)
    }

    private func count(_ running: RunningServer, _ collection: String) throws -> Int {
        let reply = try running.connect().send("GET", "/v1/collections/\(collection)/stores")
        guard reply.status == 200 else { return 0 }
        let held = try running.connect().snapshot(collection)
        return try Replica(json: held.json, revision: held.revision).snapshot.itemCount
    }

    /// How many items the summary says are in.
    private func inserted(_ run: ImportRun) -> Int {
        run.printed.firstMatch(of: /inserted ([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
    }

    @Test(arguments: samples)
    func wholeFilesGiveTwoItems(sample: Sample) async throws {
        let running = try RunningServer()
        let run = try await ImportRun(Array(sample.text.utf8), sample.name, into: running)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        #expect(try count(running, "c") == 2)
        let (status, text) = try post(sample, Array(sample.text.utf8), to: running)
        let count = try count(running, "http")
        #expect(status == 201 && count == 2, "\(text)")
    }

    /// Cut off at any place, a file gives what the summary says; in XML, and where one value holds all, that is nothing.
    @Test(arguments: samples)
    func aFileThatIsCutOffGivesWhatIsTold(sample: Sample) async throws {
        let bytes = Array(sample.text.utf8)
        for length in stride(from: bytes.count - 9, to: 0, by: -max(3, bytes.count / 12)) {
            let running = try RunningServer()
            let body = Array(bytes.prefix(length))
            let run = try await ImportRun(body, sample.name, into: running)
            #expect(try count(running, "c") == inserted(run), "\(length): \(run)")
            #expect(run.status == 0 || !run.errors.isEmpty)
            if !sample.keepsWhatCameBefore {
                #expect(run.status == 1 && inserted(run) == 0, "\(length): \(run)")
            }
            let (status, text) = try post(sample, body, to: running)
            if status == 201 {
                #expect(sample.keepsWhatCameBefore)
            } else {
                #expect(status == 422 && text.contains("/problems/invalid-document"), "\(length): \(status) \(text)")
                #expect(try count(running, "http") == 0)
            }
        }
    }

    enum Fault: CaseIterable, Sendable { case empty, binary, utf16, latin1, nul, zip }

    @Test(arguments: samples, Fault.allCases)
    func anotherEncodingOrNoTextAtAllIsSaid(sample: Sample, fault: Fault) async throws {
        let running = try RunningServer()
        let text = Array(sample.text.utf8)
        let body: [UInt8]
        switch fault {
        case .empty: body = []
        case .binary: body = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ ($0 >> 3)) }
        case .utf16: body = [0xFF, 0xFE] + text.flatMap { [$0, 0] }
        case .latin1:
            body = Array(sample.text.replacing("One", with: "\u{1}").utf8).flatMap { $0 == 1 ? [0xC9, 0x6E] : [$0] }
        case .nul: body = Array(text.prefix(text.count / 2)) + [0] + text.dropFirst(text.count / 2)
        case .zip: body = Array("PK\u{3}\u{4}".utf8) + text
        }
        let run = try await ImportRun(body, sample.name, into: running)
        #expect(try count(running, "c") == inserted(run), "\(run)")
        #expect(run.errors.isEmpty == (run.status == 0) || fault == .latin1, "\(run)")
        let isUTF16XML = fault == .utf16 && sample.text.hasPrefix("<")
        switch fault {
        case .empty, .binary, .zip: #expect(run.status == 1 && inserted(run) == 0, "\(run)")
        case .utf16: #expect((run.status == 1 && inserted(run) == 0) || isUTF16XML, "\(run)")
        case .nul: #expect(run.status == 1, "\(run)")
        // Playlists of that age are Windows-1252, which is read; of lines the one that is not UTF-8 is refused, and a
        // document is all or nothing.
        case .latin1:
            #expect(body != text)
            #expect(inserted(run) == sample.latin1 && (run.status == 0) == (sample.latin1 == 2), "\(run)")
            #expect(!run.errors.isEmpty || sample.latin1 == 2, "\(run)")
        }
        let (status, answer) = try post(sample, body, to: running)
        #expect([201, 422].contains(status), "\(answer)")
        if fault == .latin1 { #expect((status == 201) == (sample.latin1 > 0), "\(answer)") }
        let isThere = try running.connect().send("GET", "/v1/collections/http").status == 200
        #expect((status == 201) == isThere)
    }

    @Test(arguments: [
        "<!DOCTYPE rss [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;\">]>"
            + "<rss><channel><item><title>&c;</title></item></channel></rss>",
        "<!DOCTYPE rss [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><rss><channel><item><title>&x;</title></item></channel></rss>",
        "<!DOCTYPE rss SYSTEM \"http://127.0.0.1:9/x.dtd\"><rss><channel><item><title>&x;</title></item></channel></rss>",
        "<rss><channel><item><title>" + String(repeating: "<a>", count: 5_000),
    ])
    func entityBombsAndDeepDocumentsAreRefused(text: String) async throws {
        let running = try RunningServer()
        let run = try await ImportRun(Array(text.utf8), "feed.rss", into: running)
        #expect(run.status == 1 && run.errors.contains("line 1"), "\(run)")
        #expect(try count(running, "c") == 0)
        let (status, answer) = try post(Self.samples[7], Array(text.utf8), to: running)
        #expect([413, 422].contains(status), "\(answer)")
    }

    /// Nothing but memory of one batch at a time, whatever the number of lines. It takes minutes, so only when asked for.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["MEDLEY_LINES"] != nil, "MEDLEY_LINES names a number of lines"))
    func endlesslyManyLinesTakeBoundedMemory() async throws {
        let lines = ProcessInfo.processInfo.environment["MEDLEY_LINES"].flatMap { Int($0) } ?? 0
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString).csv")
        try Data("id,title\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        for start in stride(from: 0, to: lines, by: 100_000) {
            // All of them are broken but the last: what is refused must not pile up.
            try handle.write(
                contentsOf: Data(repeatElement("broken\n", count: min(100_000, lines - start)).joined().utf8))
        }
        try handle.write(contentsOf: Data("1,One\n".utf8))
        let running = try RunningServer()
        let printed = Mutex("")
        let told = Mutex(0)
        let output = CommandOutput(
            print: { line in printed.withLock { $0 += line } }, error: { _ in told.withLock { $0 += 1 } },
            isTerminal: false)
        let status = await ImportCommand.run(
            [file.path, "--into", "http://127.0.0.1:\(running.port)/v1/collections/c"], output: output)
        #expect(status == 1)
        #expect(
            printed.withLock { $0 }.hasPrefix(
                "read \(lines + 1), inserted 1, updated 0, unchanged 0, refused \(lines)"))
        #expect(told.withLock { $0 } == lines)
        print(
            "peak \(try String(contentsOfFile: "/proc/self/status", encoding: .utf8).firstMatch(of: /VmHWM:.*/)?.output ?? "")"
        )
    }
}
