import Foundation
import MedleyApp
import MedleyClient
import Synchronization
import Testing

@Suite struct ExportCommandTests {
    private static let url = "http://h/v1/collections/mix"
    private static let answer =
        #"{"from":null,"to":"a-1","reset":true,"changes":[{"op":"updateCollection","set":{"title":"Mix"}},"#
        + #"{"op":"insertSection","sections":[{"id":"s","title":"S"}]},{"op":"insert","section":"s","items":["#
        + #"{"id":"1","type":"music","title":"A é","url":"https://e.example/a.mp3"}]}]}"#

    private static func run(
        _ arguments: [String], status: Int = 200, body: String = answer, isTerminal: Bool = false
    ) async -> (status: Int32, printed: [UInt8], errors: String) {
        let printed = Mutex<[UInt8]>([])
        let errors = Mutex("")
        let output = CommandOutput(
            print: { line in printed.withLock { $0 += Array(line.utf8) } },
            error: { text in errors.withLock { $0 += text } }, isTerminal: isTerminal,
            write: { bytes in printed.withLock { $0 += bytes } })
        let transport = ClientTransport { _ throws(ClientError) in
            ClientResponse(status: status, body: Array(body.utf8))
        }
        let result = await ExportCommand.run(arguments, output: output, transport: transport, retries: .immediate)
        return (result, printed.withLock { $0 }, errors.withLock { $0 })
    }

    @Test(arguments: [
        ("m3u", "#EXTM3U\n#PLAYLIST:Mix\n"), ("XSPF", "<?xml"), ("csv", "id,type,liked,section,sectionTitle,"),
        ("json", "{\"title\":\"Mix\","), ("jsonl", "{\"id\":\"1\""), ("rss", "<?xml"),
    ])
    func writesToStandardOutput(format: String, start: String) async {
        let run = await Self.run([Self.url, "--format", format])
        #expect(run.status == 0 && run.errors.isEmpty)
        let text = String(decoding: run.printed, as: UTF8.self)
        #expect(text.hasPrefix(start) && text.contains("A é"), "\(text)")
    }

    @Test func tellsTheFormatByTheFilesNameAndLeavesTheFileWhereItFails() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pls")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(await Self.run([Self.url, "-o", file.path]).status == 0)
        let written = try Data(contentsOf: file)
        #expect(written.starts(with: Data("[playlist]\n".utf8)))
        #expect(await Self.run([Self.url, "-o", file.path], body: "{").status == 1)
        #expect(try Data(contentsOf: file) == written)
        let folder = await Self.run([Self.url, "-o", "\(file.path)/x.m3u"])
        #expect(folder.status == 1 && folder.errors.hasPrefix("medley export: \(file.path)/x.m3u: "))
    }

    /// One form under the name of another helps nobody.
    @Test(arguments: ["list.opml", "x.atom", "x.xml", "x.plist", "x.m3u.gz"])
    func refusesAFilesNameOfNothingThatCanBeWritten(name: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent(name).path
        let run = await Self.run([Self.url, "-o", path])
        #expect(run.status == 2 && run.errors.contains(" .rss") && run.errors.contains(" .m3u8 .m3u"), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        // Whoever says the format names the file as they like; a name without an extension says nothing.
        #expect(await Self.run([Self.url, "-o", path, "--format", "m3u"]).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: Data("#EXTM3U".utf8)))
        #expect(await Self.run([Self.url, "-o", "\(folder.path)/.mix"]).status == 0)
        #expect(try Data(contentsOf: folder.appendingPathComponent(".mix")).starts(with: Data("{".utf8)))
    }

    @Test func showsHowFarAFileIsWrittenOnATerminal() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).m3u")
        defer { try? FileManager.default.removeItem(at: file) }
        let run = await Self.run([Self.url, "-o", file.path], isTerminal: true)
        #expect(run.status == 0 && run.errors.contains("100% 1 records"))
        #expect(run.errors.hasSuffix("\r\u{1B}[K"))
        // What goes to a pipe or the terminal itself is not interrupted.
        #expect(await Self.run([Self.url, "--format", "m3u"], isTerminal: true).errors.isEmpty)
    }

    @Test func saysThatThereIsNoCollection() async {
        let problem = #"{"type":"/problems/collection-not-found","detail":"x"}"#
        let run = await Self.run([Self.url], status: 404, body: problem)
        #expect(run.status == 1 && run.errors == "medley export: there is no collection mix\n")
        #expect(run.printed.isEmpty)
    }

    @Test(arguments: [
        ([], "which collection?"), ([url, url], "one collection at a time"),
        ([url, "--format"], "--format needs a value"),
        ([url, "--format", "atom"], "--format: atom is none that can be written"), ([url, "-x"], "unknown option -x"),
        (["x"], "x: "),
    ])
    func refusesWrongArguments(_ arguments: [String], message: String) async {
        let run = await Self.run(arguments)
        #expect(run.status == 2 && run.errors.hasPrefix("medley export: \(message)"), "\(run.errors)")
    }
}
