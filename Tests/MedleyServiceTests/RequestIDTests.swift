import HTTPCore
import MedleyService
import Testing

/// Every resource's answers carry `X-Request-Id`, and say for the log whom they answer.
@Suite struct RequestIDTests {
    private static let collection = "/v1/collections/{collection}"

    /// All that the routing table has, with its methods and those that go with each.
    static let operations: [(method: String, pattern: String)] = AccessTableTests.rows.flatMap { row in
        let parts = row.operation.split(separator: " ").map(String.init)
        let methods = parts[0] == "GET" ? ["GET", "HEAD", "OPTIONS", "TRACE"] : [parts[0]]
        return methods.map { ($0, parts[1]) }
    }

    private static func body(_ method: String, _ pattern: String) -> String? {
        switch (method, pattern) {
        case ("PUT", _): ServiceFixture.mix
        case ("PATCH", collection): ProblemTests.like
        case ("PATCH", _): #"{"liked":true}"#
        case ("POST", "/v1/changes"): #"{"since":{"mix":null}}"#
        default: nil
        }
    }

    @Test(arguments: operations.indices)
    func everyResourceAnswersWithIt(index: Int) async throws {
        let (method, pattern) = Self.operations[index]
        let kit = try TokenKit([("phone", .admin, "*")])
        let served = try await SocketService(
            ServiceFixture.withMix(showing: kit.shows("phone")) {
                $0.access = kit.access
                $0.page = PageTests.files
                $0.module = PageTests.module
            })
        for missing in [false, true] {
            let target = pattern.replacing("{collection}", with: missing ? "none" : "mix")
                .replacing("{item}", with: "v1").replacing("{type}", with: "video")
                .replacing("{file}", with: "style.css")
            for shown in [kit.shows("phone"), []] {
                for (fields, expected) in [([], nil), ([("X-Request-Id", "own:1")], "own:1")] {
                    let client = try served.connect()
                    try client.send(
                        served.text(method, target, shown + fields, json: Self.body(method, pattern)))
                    let reply = try client.receiveHead()
                    let ids = reply.fields.filter { $0.name == "x-request-id" }.map(\.value)
                    #expect(ids.count == 1, "\(method) \(target) \(reply.status)")
                    if let expected { #expect(ids == [expected]) } else { #expect(ids.first?.utf8.count == 16) }
                }
            }
        }
    }

    @Test(
        arguments: [
            ("GET", "/v1/collections/mix", "reader", 200), ("GET", "/v1/collections/other", "reader", 404),
            ("DELETE", "/v1/collections/mix", "reader", 403), ("GET", "/v1/collections/mix?what=1", "reader", 400),
            ("GET", "/v1/collections/mix/events?since=x", "reader", 400), ("GET", "/v1/events", "reader", 200),
            ("PATCH", "/v1/collections/mix", "writer", 200), ("PUT", "/v1/collections/mix", "writer", 400),
            ("GET", "/metrics", "reader", 403), ("GET", "/v1", "reader", 200), ("GET", "/v1/collections/mix", nil, 401),
            ("GET", "/v1/collections/mix", "nobody", 401), ("GET", "/healthz", "reader", 200),
            ("GET", "/none", "reader", 404),
            ("POST", "/v1/changes", "reader", 200),
        ] as [(String, String, String?, Int)])
    func anAnswerSaysWhomItIsFor(method: String, target: String, name: String?, status: Int) async throws {
        let kit = try TokenKit([("reader", .read, "mix"), ("writer", .write, "mix"), ("boss", .admin, "*")])
        let fixture = await ServiceFixture.withMix(showing: kit.shows("boss")) { $0.access = kit.access }
        let json: String? =
            switch method {
            case "PATCH": ProblemTests.like
            case "PUT": "{"
            case "POST": #"{"since":{"mix":null}}"#
            default: nil
            }
        let request = ServiceFixture.request(method, target, name.map { kit.shows($0) } ?? [], json: json)
        // What asks nobody for a token does not look at one.
        let isKnown = name != "nobody" && !["/healthz", "/none"].contains(target)
        let response = await withCheckedContinuation { continuation in
            fixture.service.answer(request, RecordingReply { continuation.resume(returning: $0) })
        }
        #expect(response.status == status)
        #expect(response.caller == (isKnown ? name : nil))
        if case .refuse(let refused) = fixture.service.admit(request.head) {
            #expect(refused.status == status)
            #expect(refused.caller == response.caller)
        }
    }
}
