import HTTPCore
import Journal
import MedleyCore
import Testing

@testable import MedleyService

/// Every route × everyone who may call × collections of theirs, of others and that are not there, over sockets.
@Suite struct AccessTableTests {
    /// Who calls, in the order of a row's statuses.
    enum Who: String, CaseIterable {
        case none, read, write, admin, bad, withdrawn
    }

    /// What is expected of one operation, by the collection that is asked for; "any" where the path names none.
    struct Row: CustomTestStringConvertible, Sendable {
        let operation: String
        let cells: [(collection: String, statuses: [Int])]

        var testDescription: String { operation }

        /// A row for a path that names a collection.
        init(_ operation: String, own: String, foreign: String, missing: String) {
            self.operation = operation
            cells = [("own", own), ("foreign", foreign), ("own-missing", missing)].map { ($0, Self.statuses($1)) }
        }

        init(_ operation: String, any: String) {
            self.operation = operation
            cells = [("any", Self.statuses(any))]
        }

        private static func statuses(_ text: String) -> [Int] { text.split(separator: " ").compactMap { Int($0) } }
    }

    /// none, read, write, admin, bad, withdrawn.
    private static func reading(_ path: String) -> Row {
        Row(
            "GET \(path)", own: "401 200 200 200 401 401", foreign: "401 404 404 404 401 401",
            missing: "401 404 404 404 401 401")
    }

    private static func editing(_ operation: String) -> Row {
        Row(
            operation, own: "401 403 200 200 401 401", foreign: "401 404 404 404 401 401",
            missing: "401 403 404 404 401 401")
    }

    private static let collection = "/v1/collections/{collection}"

    static let rows = [
        reading(collection), reading(collection + "/changes"), reading(collection + "/events"),
        reading(collection + "/items"), reading(collection + "/items/{item}"), reading(collection + "/stores"),
        reading(collection + "/stores/{type}"),
        editing("PATCH \(collection)"), editing("PATCH \(collection)/items/{item}"),
        editing("DELETE \(collection)/items/{item}"),
        Row(
            "POST \(collection)/import", own: "401 403 200 200 401 401", foreign: "401 404 404 404 401 401",
            missing: "401 403 403 201 401 401"),
        Row(
            "PUT \(collection)", own: "401 403 200 200 401 401", foreign: "401 404 404 404 401 401",
            missing: "401 403 403 201 401 401"),
        Row(
            "DELETE \(collection)", own: "401 403 403 204 401 401", foreign: "401 404 404 404 401 401",
            missing: "401 403 403 404 401 401"),
        Row("GET /v1/collections", any: "401 200 200 200 401 401"),
        Row("POST /v1/changes", any: "401 200 200 200 401 401"),
        Row("GET /v1/events", any: "401 200 200 200 401 401"),
        Row("GET /v1", any: "200 200 200 200 401 401"),
        Row("GET /v1/session", any: "200 200 200 200 401 401"),
        Row("POST /v1/session", any: "401 200 200 200 401 401"),
        Row("DELETE /v1/session", any: "204 204 204 204 401 401"),
        // These tokens are for some collections only.
        Row("GET /metrics", any: "401 403 403 403 401 401"),
        Row("GET /healthz", any: "200 200 200 200 200 200"),
        Row("GET /readyz", any: "200 200 200 200 200 200"),
        Row("GET /openapi.yaml", any: "200 200 200 200 200 200"),
        Row("GET /", any: "200 200 200 200 200 200"),
        Row("GET /page/{file}", any: "200 200 200 200 200 200"),
        Row("GET /medley.js", any: "200 200 200 200 200 200"),
    ]

    @Test func everyRouteHasItsRow() {
        let operations = RoutingTable.routes.flatMap { route in
            route.operations.map { "\($0.method) \(route.pattern)" }
        }
        #expect(operations.sorted() == Self.rows.map(\.operation).sorted())
        for row in Self.rows { for cell in row.cells { #expect(cell.statuses.count == Who.allCases.count) } }
    }

    private struct World {
        let served: SocketService
        let kit: TokenKit

        init() async throws {
            let kit = try TokenKit([
                ("boss", .admin, "*"), ("read", .read, "own*"), ("write", .write, "own*"), ("admin", .admin, "own*"),
                ("withdrawn", .admin, "*"),
            ])
            try kit.withdraw("withdrawn")
            self.kit = kit
            served = try await SocketService(
                ServiceFixture {
                    $0.access = kit.access
                    $0.page = PageTests.files
                    $0.module = PageTests.module
                })
        }

        func shows(_ who: Who) -> [(String, String)] {
            switch who {
            case .none: []
            case .bad: [("Authorization", "Bearer medley_aaaaaaaaaaaa_\(String(repeating: "a", count: 43))")]
            case .read, .write, .admin, .withdrawn: kit.shows(who.rawValue)
            }
        }

        /// Has `own` and `foreign` hold what they shall, and `own-missing` not be there.
        func restore() throws {
            for collection in ["own", "foreign"] {
                let target = "/v1/collections/\(collection)"
                let made = try served.send("PUT", target, kit.shows("boss"), json: ServiceFixture.mix)
                #expect([200, 201].contains(made.status))
            }
            _ = try served.send("DELETE", "/v1/collections/own-missing", kit.shows("boss"))
        }

        /// The status of a request, of which nothing but the head is read: a stream has no end.
        func status(_ method: String, _ target: String, _ fields: [(String, String)], json: String?) throws -> Int {
            let client = try served.connect()
            try client.send(served.text(method, target, fields, json: json))
            return try client.receiveHead().status
        }
    }

    private static func body(_ method: String, _ path: String) -> String? {
        switch (method, path) {
        case ("PUT", _): ServiceFixture.mix
        case ("PATCH", collection): ProblemTests.like
        case ("PATCH", _): #"{"liked":true}"#
        case ("POST", collection + "/import"): #"[{"id":"n1","title":"New"}]"#
        case ("POST", "/v1/changes"): #"{"since":{"own":null}}"#
        default: nil
        }
    }

    @Test(arguments: rows)
    func eachAnswersAsTheTableSays(row: Row) async throws {
        let world = try await World()
        let parts = row.operation.split(separator: " ").map(String.init)
        let (method, pattern) = (parts[0], parts[1])
        for (collection, statuses) in row.cells {
            let target = pattern.replacing("{collection}", with: collection).replacing("{item}", with: "v1")
                .replacing("{type}", with: "video").replacing("{file}", with: "style.css")
            for (who, expected) in zip(Who.allCases, statuses) {
                try world.restore()
                let before = world.served.fixture.library.all().map { "\($0.collection) \($0.snapshot.revision)" }
                let fields = world.shows(who)
                let json = Self.body(method, pattern)
                if method == "GET" {
                    let head = try world.status("HEAD", target, fields, json: nil)
                    #expect(head == expected, "HEAD \(target) \(who)")
                }
                #expect(try world.status("OPTIONS", target, fields, json: nil) == 204, "OPTIONS \(target) \(who)")
                let status = try world.status(method, target, fields, json: json)
                #expect(status == expected, "\(row.operation) \(collection) \(who)")
                guard status >= 400 else { continue }
                let after = world.served.fixture.library.all().map { "\($0.collection) \($0.snapshot.revision)" }
                #expect(after == before, "\(row.operation) \(collection) \(who)")
            }
        }
    }

    /// A foreign collection and a missing one must look the same to the last byte but the name.
    @Test(arguments: rows.filter { $0.cells.count > 1 })
    func aForeignCollectionLooksLikeOneThatIsNotThere(row: Row) async throws {
        let world = try await World()
        try world.restore()
        let parts = row.operation.split(separator: " ").map(String.init)
        for who in [Who.read, .write, .admin] {
            let texts = try ["foreign", "nothing"].map { collection in
                let target = parts[1].replacing("{collection}", with: collection).replacing("{item}", with: "v1")
                    .replacing("{type}", with: "video")
                let json = Self.body(parts[0], parts[1])
                let received = try world.served.send(parts[0], target, world.shows(who), json: json)
                let fields = received.headers.fields.filter {
                    !["date", "content-length", "x-request-id"].contains($0.name.lowercased())
                }
                let text = fields.map { "\($0.name): \($0.value)\n" }.joined() + received.text
                return "\(received.status) " + text.replacing(collection, with: "NAME")
            }
            #expect(texts[0] == texts[1], "\(row.operation) \(who)")
        }
    }

    @Test func listsAndPollsTellOnlyOfOwnCollections() async throws {
        let world = try await World()
        try world.restore()
        let list = try world.served.send("GET", "/v1/collections", world.shows(.read))
        #expect(list.text.contains(#""id":"own""#))
        #expect(!list.text.contains("foreign"))
        let poll = try world.served.send(
            "POST", "/v1/changes", world.shows(.read), json: #"{"since":{"own":null,"foreign":null,"none":null}}"#)
        let answers = try #require(poll.object["collections"] as? [String: [String: Any]])
        #expect(answers["own"]?["reset"] as? Bool == true)
        for collection in ["foreign", "none"] {
            #expect(answers[collection]?["type"] as? String == "/problems/collection-not-found")
        }
    }

    @Test func metricsAreForWhoeverMayReadAll() async throws {
        let kit = try TokenKit([("all", .read, "*"), ("some", .admin, "a,b*")])
        let served = try await SocketService(ServiceFixture { $0.access = kit.access })
        #expect(try served.send("GET", "/metrics", kit.shows("all")).status == 200)
        #expect(try served.send("GET", "/metrics", kit.shows("some")).status == 403)
    }
}
