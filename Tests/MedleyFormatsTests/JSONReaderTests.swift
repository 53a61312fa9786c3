import Foundation
import MedleyFormats
import Testing

@Suite struct JSONReaderTests {
    @Test(arguments: [1, 3, 65536])
    func readsAnArray(chunk: Int) {
        let reading = Reading(
            "[\n {\"a\": 1.10, \"b\":null},\n {\"a\":\"x,]}\\\"\"}, {\"n\":[1, {\"m\": 2}]}\n]\n", chunk: chunk)
        #expect(reading.error == nil)
        #expect(reading.records == [["a=1.10", "b=null"], ["a=\"x,]}\\\"\""], [#"n=[1,{"m":2}]"#]])
        #expect(reading.lines == [2, 3, 3])
    }

    @Test func refusesElementsAndReadsOn() {
        let deep = String(repeating: "[", count: 57) + String(repeating: "]", count: 57)
        let reading = Reading(
            """
            [{"a":1},
            7,
            {"a":1,"a":2},
            {"a":NaN},
            ,
            {"a":"\\ud800"},
            {"a":\(deep)},
            {"a":2}]
            """)
        #expect(reading.error == nil)
        #expect(reading.records == [["a=1"], ["a=2"]])
        #expect(
            reading.refusals.map { $0.prefix(7) } == ["line 2:", "line 3:", "line 4:", "line 5:", "line 6:", "line 7:"])
        #expect(reading.refusals.first == "line 2: not a JSON object")
    }

    @Test(arguments: [
        (#"[{"a":1},{"a":"#, 1), (#"[{"a":1}"#, 0), (#"[{"a":1}] x"#, 1), (#"[{"a":1},{"b":"x]"#, 1),
    ])
    func stopsWhereTheArrayIsBroken(_ text: String, records: Int) {
        let reading = Reading(text)
        #expect(reading.error == .malformed)
        #expect(reading.records.count == records)
    }

    @Test func readsAnEmptyArray() {
        #expect(Reading(" [ ] ") == Reading("a,b\n"))
    }

    @Test(arguments: [1, 5, 65536])
    func readsJSONLines(chunk: Int) {
        let reading = Reading(
            "{\"a\": 1}\n\n   \n[1]\r\n{\"a\":2}\r\nx\n{\"a\":3}", chunk: chunk)
        #expect(reading.error == nil)
        #expect(reading.records == [["a=1"], ["a=2"], ["a=3"]])
        #expect(reading.lines == [1, 5, 7])
        #expect(reading.refusals.map { $0.prefix(7) } == ["line 4:", "line 6:"])
    }

    @Test func readsTheSnapshotForm() {
        let reading = Reading(
            """
            {"id":"mix","title":"Mix","revision":"k3f9a2b1-42","counts":{},"types":{},"mood":"calm","sections":[
             {"title":"Video","id":"v","items":[{"id":"1","type":"video"},
              {"id":"2"}, 5],"color":"red"},
             {"id":"empty"}]}
            """)
        #expect(reading.error == nil)
        #expect(
            reading.sections == [
                #""title":"Mix","mood":"calm""#, #"v "title":"Video","color":"red""#, #"empty "title":"""#,
            ])
        #expect(reading.records == [["id=\"1\"", "type=\"video\""], ["id=\"2\""]])
        #expect(reading.lines == [2, 3])
        #expect(reading.refusals == ["line 3: not a JSON object"])
    }

    @Test(arguments: [
        "{\n\"sections\":7}", #"{"sections":[7]}"#, #"{"sections":[{"id":""}]}"#, #"{"sections":[{"title":"x"}]}"#,
        #"{"sections":[{"id":"a","items":7}]}"#, #"{"sections":[]"#, #"{"sections":[],"sections":[]}"#,
        "{\n\"title\":\"no sections\"}",
    ])
    func refusesOtherSnapshotForms(_ text: String) {
        #expect(Reading(text, name: "x.json").error == .malformed)
    }
}

@Suite struct MediaFileTests {
    @Test(arguments: [
        ("a,b\n1,2", "x", MediaFormat.csv), ("a,b\n1,2", "x.csv", .csv), ("[1]", "x.csv", .csv),
        ("[]", "x", .jsonArray), (" \n[{}]", "x.txt", .jsonArray), ("\u{FEFF}[]", "x", .jsonArray),
        ("{}\n{}", "x", .jsonLines), ("{\"a\":1}", "x", .jsonLines), ("{\"a\":1}\n", "x.json", .jsonLines),
        ("{\"sections\":[]}", "x", .snapshot), ("{\n\"sections\":[]}", "x", .snapshot),
        ("{\n\"sections\":[]}\n", "dir.csv/x.JSON", .snapshot), ("{\"a\":\n{}", "x.jsonl", .jsonLines),
        ("x\n{}", "x.ndjson", .jsonLines),
        ("#EXTM3U\na", "x", .m3u), ("\u{FEFF}\n#extinf:1,a\nb", "x.txt", .m3u), ("a.mp3", "x.M3U8", .m3u),
        ("[a] b.mp3", "x.m3u", .m3u), ("#EXTM3U", "x.pls", .m3u), ("[Playlist]\nFile1=a", "x", .pls),
        ("File1=a", "x.pls", .pls), ("[playlist]", "x.json", .pls), ("[\"playlist\"]", "x", .jsonArray),
        (" { \"playlist\" : {\"track\":[]}}", "x", .jspf), ("{\"playlist\":{\"track\":[]}}", "x.json", .jspf),
        ("{\"playlist\":{\"track\":[]}}", "x.jsonl", .jsonLines), ("{\"playlist\":\"x\"}", "x", .jsonLines),
        ("a\tb\n1\t2", "x", .tsv), ("a,b", "x.tsv", .tsv), ("a;b\n1;2", "x", .csv),
    ])
    func tellsTheFormat(_ text: String, name: String, format: MediaFormat) throws {
        #expect(try MediaFile.open(ByteReader(Array(text.utf8)), name: name).format == format)
    }

    @Test(arguments: [
        ([], "x", FormatError.Code.empty), (Array(" \n\t".utf8), "x.json", .empty), ([0xEF, 0xBB, 0xBF], "x", .empty),
        (Array("\n".utf8), "x.csv", .empty), ([0x50, 0x4B, 3, 4], "x.xlsx", .binary), ([0x61, 0, 0x62], "x", .binary),
        ([0xFF, 0xFE, 0x61, 0], "x", .notUTF8), (Array("<rss/>".utf8), "x", .malformed),
        (Array("a,b".utf8), "x.json", .malformed), (Array("<html>".utf8), "x.m3u8", .malformed),
        (Array("{}".utf8), "x.jspf", .malformed), (Array("#EXTM3U\n\0".utf8), "x.m3u", .binary),
    ])
    func refusesWhatIsNoFormat(_ bytes: [UInt8], name: String, code: FormatError.Code) {
        let error = #expect(throws: FormatError.self) { try MediaFile.open(ByteReader(bytes), name: name) }
        #expect(error?.code == code)
    }

    @Test func saysWhyAFileCannotBeOpened() {
        let directory = FileManager.default.temporaryDirectory.path
        #expect(throws: FormatError(.directory, "\(directory) is a directory, not a file")) {
            try ByteReader(path: directory)
        }
        #expect(throws: FormatError(.notFound, "no/such/file: no such file")) {
            try MediaFile.open(path: "no/such/file")
        }
    }
}
