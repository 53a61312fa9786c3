import MedleyApp
import MedleyClient
import Synchronization
import Testing

/// What the commands say about tokens before and after they are shown.
@Suite struct ClientAccessTests {
    @Test(arguments: [
        ("http://media.example/v1/collections/a", true), ("http://192.0.2.7:8080/v1/collections/a", true),
        ("http://127.0.0.1.media.example/v1/collections/a", true), ("http://[2001:db8::1]/v1/collections/a", true),
        ("HTTP://MEDIA.EXAMPLE/v1/collections/a", true), ("http://notlocalhost/v1/collections/a", true),
        ("https://media.example/v1/collections/a", false), ("http://127.0.0.1:8080/v1/collections/a", false),
        ("http://127.9.9.9/v1/collections/a", false), ("http://localhost:8080/v1/collections/a", false),
        ("http://[::1]:8080/v1/collections/a", false), ("http://0127.0.0.1/v1/collections/a", true),
        ("http://[0:0:0:0:0:0:0:1]/v1/collections/a", false),
    ])
    func aTokenOverPlainHTTPIsWarnedOf(url: String, isWarned: Bool) throws {
        #expect((ClientAccess.warning(for: try CollectionURL(url)) != nil) == isWarned)
    }

    @Test(arguments: [
        (["http://h/v1/collections/mix"], ["MEDLEY_TOKEN": "t"], true),
        (["http://h/v1/collections/mix"], [:], false), (["http://h/v1/collections/mix"], ["MEDLEY_TOKEN": ""], false),
        (["https://h/v1/collections/mix"], ["MEDLEY_TOKEN": "t"], false),
    ])
    func theWarningIsALineOfTheCommand(
        arguments: [String], environment: [String: String], isWarned: Bool
    ) async {
        let errors = Mutex("")
        let output = CommandOutput(
            print: { _ in }, error: { text in errors.withLock { $0 += text } }, isTerminal: false, write: { _ in })
        let shown = Mutex<String?>(nil)
        let transport = ClientTransport { request throws(ClientError) in
            shown.withLock { $0 = request.headers["Authorization"] }
            return ClientResponse(status: 200, body: Array(#"{"from":null,"to":"a-1","reset":true,"changes":[]}"#.utf8))
        }
        let status = await ExportCommand.run(
            arguments, output: output, transport: transport, retries: .immediate, environment: environment)
        #expect(status == 0)
        #expect(errors.withLock { $0.hasPrefix("medley export: the token goes to h without encryption") } == isWarned)
        #expect(errors.withLock { $0.isEmpty } == !isWarned)
        #expect(shown.withLock { $0 } == (environment["MEDLEY_TOKEN"] == "t" ? "Bearer t" : nil))
    }
}
