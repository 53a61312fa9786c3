import MedleyApp
import MedleyClient
import Synchronization
import Testing

/// `medley watch` without a network: what it says of what the server answers.
@Suite struct WatchCommandTests {
    private final class Script: Sendable {
        let answers: Mutex<[ClientResponse?]>
        let requests = Mutex<[String]>([])

        init(_ answers: [ClientResponse?]) { self.answers = Mutex(answers) }

        /// The answers in turn, `nil` being a lost one; then a refusal, which ends the command.
        var transport: ClientTransport {
            ClientTransport { request throws(ClientError) in
                self.requests.withLock { $0.append(request.url.split(separator: "?").last.map(String.init) ?? "") }
                let answer = self.answers.withLock { $0.isEmpty ? Self.problem(403, "forbidden") : $0.removeFirst() }
                guard let answer else { throw ClientError(.unreachable, "no server answers at h:80") }
                return answer
            }
        }

        static func problem(_ status: Int, _ code: String) -> ClientResponse {
            ClientResponse(status: status, body: Array(#"{"type":"/problems/\#(code)","detail":"no: \#(code)"}"#.utf8))
        }
    }

    private func run(_ arguments: [String], _ script: Script) async -> (
        status: Int32, printed: [String], errors: String
    ) {
        let printed = Mutex<[String]>([])
        let errors = Mutex("")
        let output = CommandOutput(
            print: { line in printed.withLock { $0.append(line) } }, error: { text in errors.withLock { $0 += text } },
            isTerminal: false)
        let status = await WatchCommand.run(
            ["http://h/v1/collections/mix"] + arguments, output: output, transport: script.transport,
            retries: RetryPolicy(sleep: { _ in }))
        return (status, printed.withLock { $0 }, errors.withLock { $0 })
    }

    private static func answer(_ json: String) -> ClientResponse { ClientResponse(status: 200, body: Array(json.utf8)) }
    private static let empty = answer(#"{"from":null,"to":"a-1","reset":true,"changes":[]}"#)
    private static let section = #"[{"op":"insertSection","sections":[{"id":"s","title":"S\u0007"}]}]"#
    private static let next = answer(#"{"from":"a-1","to":"a-2","changes":\#(section)}"#)
    private static let other = answer(#"{"from":null,"to":"b-1","reset":true,"changes":\#(section)}"#)

    @Test func whatBecomesOfTheServerAndTheCollectionIsTold() async {
        let script = Script([
            nil, nil, Script.problem(404, "collection-not-found"), Self.empty, Self.next, nil,
            Script.problem(404, "collection-not-found"), Self.other,
        ])
        let (status, printed, errors) = await run([], script)
        #expect(status == 1)
        #expect(printed == ["section inserted  S\\u{7}  last"])
        #expect(
            errors == """
                medley watch: no server answers at h:80; it is waited for
                medley watch: the server is back
                medley watch: there is no mix yet; it is waited for
                medley watch: there it is: mix is at a-1, with 0 items in 0 sections
                medley watch: no server answers at h:80; it is waited for
                medley watch: the server is back
                medley watch: mix is gone; it is waited for
                medley watch: there it is: mix is at b-1, with 0 items in 1 sections
                medley watch: nobody may follow mix without a token (no: forbidden)

                """)
    }

    @Test func jsonIsWhatTheServerSaid() async {
        let (_, printed, errors) = await run(["--json"], Script([Self.empty, Self.next, Self.other]))
        #expect(
            printed == [
                #"{"from":"a-1","to":"a-2","changes":\#(Self.section)}"#,
                #"{"from":null,"to":"b-1","reset":true,"changes":\#(Self.section)}"#,
            ])
        #expect(errors.contains("medley watch: started over: mix is at b-1"))
    }

    @Test func changesSinceARevisionLeadToWhatIsHeld() async {
        // Somebody edits after the snapshot was read, and a connection breaks off: it is read again.
        let later = Self.answer(#"{"from":null,"to":"a-2","reset":true,"changes":\#(Self.section)}"#)
        let script = Script([
            Self.empty, nil, Self.next, later, Self.next, Self.answer(#"{"from":"a-2","to":"a-2","changes":[]}"#),
        ])
        let (_, printed, _) = await run(["--since", "a-1", "--json"], script)
        #expect(printed == [#"{"from":"a-1","to":"a-2","changes":\#(Self.section)}"#])
        #expect(
            script.requests.withLock { $0 } == [
                "reset=inline", "reset=inline&since=a-1", "reset=inline&since=a-1", "reset=inline",
                "reset=inline&since=a-1", "reset=inline&since=a-2", "reset=inline&since=a-2&wait=25",
            ])
    }

    @Test func anotherServerIsNotFollowed() async {
        let (status, printed, errors) = await run([], Script([ClientResponse(status: 404, body: Array("<html>".utf8))]))
        #expect(status == 1 && printed.isEmpty)
        #expect(errors.contains("is no collection of a Medley server"))
    }
}
