import Foundation
import HTTPCore
import HTTPServer
import MedleyApp
import Testing

/// Whatever a request holds, it is one line that is read back as what it was.
@Suite struct AccessLineTests {
    private static let moment = 1_798_761_600_042

    private static func record(
        id: String = "req-1", method: String = "GET", path: String = "/v1", peer: String = "127.0.0.1:50000",
        caller: String? = nil, status: Int = 200, bodyBytes: Int = 0, nanoseconds: UInt64 = 0, isComplete: Bool = true
    ) throws -> RequestRecord {
        RequestRecord(
            id: try #require(RequestID(id)), method: method, path: path, peer: peer, caller: caller, status: status,
            bodyBytes: bodyBytes, nanoseconds: nanoseconds, isComplete: isComplete)
    }

    private static func plain(_ record: RequestRecord) -> [UInt8] {
        var line: [UInt8] = []
        var time = LogTime()
        AccessLine.appendPlain(record, at: moment, &time, to: &line)
        return line
    }

    private static func json(_ record: RequestRecord) -> [UInt8] {
        var line: [UInt8] = []
        var time = LogTime()
        AccessLine.appendJSON(record, at: moment, &time, to: &line)
        return line
    }

    /// The columns of a plain line with their escapes undone.
    private static func columns(_ line: [UInt8]) throws -> [String] {
        try #require(line.last == 10)
        #expect(line.count { $0 == 10 } == 1)
        return try line.dropLast().split(separator: 32, omittingEmptySubsequences: false).map { column in
            var bytes: [UInt8] = []
            var rest = column
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "\\") else {
                    bytes.append(byte)
                    continue
                }
                #expect(rest.popFirst() == UInt8(ascii: "x"))
                bytes.append(try #require(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)))
                rest = rest.dropFirst(2)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func object(_ line: [UInt8]) throws -> [String: Any] {
        try #require(line.last == 10)
        #expect(line.count { $0 == 10 } == 1)
        return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }

    @Test func theFormsAreTheseToTheByte() throws {
        let whole = try Self.record(
            method: "PATCH", path: "/v1/collections/mix", peer: "[::ffff:192.0.2.7]:443", caller: "phone",
            bodyBytes: 1_234, nanoseconds: 12_345_678)
        #expect(
            String(decoding: Self.plain(whole), as: UTF8.self)
                == "2027-01-01T00:00:00.042Z 192.0.2.7 phone PATCH /v1/collections/mix 200 1234 12.345 done req-1\n")
        #expect(
            String(decoding: Self.json(whole), as: UTF8.self)
                == #"{"time":"2027-01-01T00:00:00.042Z","client":"192.0.2.7","token":"phone","method":"PATCH","#
                + #""path":"/v1/collections/mix","status":200,"bytes":1234,"ms":12.345,"complete":true,"id":"req-1"}"#
                + "\n")
        let nothing = try Self.record(method: "", path: "", peer: "", status: 0, isComplete: false)
        #expect(
            String(decoding: Self.plain(nothing), as: UTF8.self)
                == "2027-01-01T00:00:00.042Z - - - - - 0 0.000 cut req-1\n")
        #expect(
            String(decoding: Self.json(nothing), as: UTF8.self)
                == #"{"time":"2027-01-01T00:00:00.042Z","client":null,"token":null,"method":null,"path":null,"#
                + #""status":null,"bytes":0,"ms":0.000,"complete":false,"id":"req-1"}"# + "\n")
    }

    @Test func whomAProxySpeaksForIsTheClient() throws {
        let record = RequestRecord(
            id: try #require(RequestID("req-1")), method: "GET", path: "/", peer: "127.0.0.1:443",
            forwardedFor: NetworkAddress("192.0.2.9"), caller: nil, status: 200, bodyBytes: 0, nanoseconds: 0,
            isComplete: true)
        #expect(try Self.columns(Self.plain(record))[1] == "192.0.2.9")
        #expect(try Self.object(Self.json(record))["client"] as? String == "192.0.2.9")
    }

    @Test func aMadeIDStandsAsItIs() throws {
        var ids = RequestIDs()
        let id = ids.next()
        let record = RequestRecord(
            id: id, method: "GET", path: "/", peer: "a:1", caller: nil, status: 200, bodyBytes: 0, nanoseconds: 0,
            isComplete: true)
        #expect(try Self.columns(Self.plain(record)).last == id.description)
        #expect(try Self.object(Self.json(record))["id"] as? String == id.description)
    }

    @Test func everyCharacterIsReadBack() throws {
        for value in Array(0...0x17F as ClosedRange<UInt32>) + [
            0x2028, 0x2029, 0x202E, 0xFEFF, 0xFFFD, 0x1F3B5, 0x10FFFF,
        ] {
            let scalar = try #require(Unicode.Scalar(value))
            for text in ["\(scalar)", "a\(scalar)b", "\(scalar)\(scalar)"] {
                let record = try Self.record(method: text, path: "/\(text)", caller: text)
                let (plain, json) = (Self.plain(record), Self.json(record))
                // Nothing is left in it that a terminal or a reader of lines could take for anything else.
                #expect(plain.dropLast().allSatisfy { (0x20..<0x7F).contains($0) }, "\(value)")
                #expect(json.dropLast().allSatisfy { (0x20..<0x7F).contains($0) }, "\(value)")
                let columns = try Self.columns(plain)
                #expect(columns.count == 10, "\(value)")
                #expect(Array(columns[2].utf8) == Array(text.utf8) && Array(columns[3].utf8) == Array(text.utf8))
                #expect(Array(columns[4].utf8) == Array("/\(text)".utf8), "\(value)")
                let object = try Self.object(json)
                for (member, expected) in [("token", text), ("method", text), ("path", "/\(text)")] {
                    #expect((object[member] as? String).map { Array($0.utf8) } == Array(expected.utf8), "\(value)")
                }
            }
        }
    }

    @Test(arguments: [
        "/a\r\n2027-01-01T00:00:00.000Z 127.0.0.1 admin GET / 200 0 0.000 done x",
        "/\u{1B}[2J\u{1B}]0;title\u{7}", "/\",\"status\":200,\"x\":\"", "/a b c", "/\\x20", "/\\u0000\u{0}", "-", "/…",
        "/\u{202E}gnp",
    ])
    func aHostilePathIsOneField(path: String) throws {
        let record = try Self.record(path: path)
        let columns = try Self.columns(Self.plain(record))
        #expect(columns.count == 10)
        #expect(columns[4] == path)
        let object = try Self.object(Self.json(record))
        #expect(object.count == 10)
        #expect(object["path"] as? String == path)
    }

    @Test(arguments: [255, 256, 257, 8_000])
    func whatIsLongIsCut(length: Int) throws {
        let path = "/" + String(repeating: "p", count: length - 1)
        let method = String(repeating: "M", count: length)
        let record = try Self.record(method: method, path: path)
        let columns = try Self.columns(Self.plain(record))
        #expect(columns[4] == (length <= 256 ? path : path.prefix(256) + "…"))
        #expect(columns[3] == method.prefix(32) + "…")
        let object = try Self.object(Self.json(record))
        #expect(object["path"] as? String == columns[4])
        #expect(object["method"] as? String == columns[3])
    }

    private static let secret = String(repeating: "aB3", count: 14) + "x"
    private static let token = "medley_abc123def456_\(secret)"

    /// A text with each byte percent-encoded.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + String($0, radix: 16) }.joined()
    }

    @Test(arguments: [
        "/\(token)", "/v1/collections/\(token)", "/\(token)/\(token)", "/x_\(token)?", "/medley_\(token)",
        "/" + String(repeating: "p", count: 220) + token, "/" + String(repeating: "p", count: 250) + token,
        "/medley_abc123def456_\(token)", "/\(token.replacing("_", with: "%5F"))", "/%6d\(token.dropFirst())",
        "/%6D%65%64%6c%65%79%5f\(token.dropFirst(7))", "/medley_%61bc123def456_\(secret)", "/\(encoded(token))",
        "/\(encoded(token).replacing("%", with: "%25"))", "/%25256dedley%255f\(token.dropFirst(7))",
        "/%2%35%36dedley_\(token.dropFirst(7))", "/%%36dedley_\(token.dropFirst(7))", "/%zz/%6\(token)",
        "/%22\(String(repeating: "p", count: 220))%6d\(token.dropFirst())",
    ])
    func theSecretOfATokenIsCutOff(path: String) throws {
        for line in [Self.plain(try Self.record(path: path)), Self.json(try Self.record(path: path))] {
            var text = String(decoding: line, as: UTF8.self)
            while let decoded = text.removingPercentEncoding, decoded != text { text = decoded }
            #expect(!text.contains("aB3"), "\(text)")
            #expect(text.contains("…"))
            _ = try line.first == UInt8(ascii: "{") ? Self.object(line).count : Self.columns(line).count
        }
    }

    @Test func aTokenAsAnIDIsCutOffToo() throws {
        let record = try Self.record(id: Self.token)
        #expect(try Self.columns(Self.plain(record)).last == "medley_abc123def456_…")
        #expect(try Self.object(Self.json(record))["id"] as? String == "medley_abc123def456_…")
    }

    @Test(arguments: [
        "/my_mix", "/medley_mix", "/medley_abc123def45_x", "/x_y_z", "/medley.js", "/medley%5Fmix", "/100%", "/%6dix%2",
        "/medley_abc123def456_",
    ])
    func otherNamesStandAsTheyAre(path: String) throws {
        #expect(try Self.columns(Self.plain(try Self.record(path: path)))[4] == path)
        #expect(try Self.object(Self.json(try Self.record(path: path)))["path"] as? String == path)
    }

    @Test func theTimeIsThatOfEachLine() throws {
        var time = LogTime()
        for (moment, expected) in [
            (0, "1970-01-01T00:00:00.000Z"), (999, "1970-01-01T00:00:00.999Z"), (1_000, "1970-01-01T00:00:01.000Z"),
            (1_709_251_199_050, "2024-02-29T23:59:59.050Z"), (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            var line: [UInt8] = []
            time.append(moment, to: &line)
            #expect(String(decoding: line, as: UTF8.self) == expected)
        }
    }
}
