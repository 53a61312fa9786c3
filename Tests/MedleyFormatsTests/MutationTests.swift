import JSONText
import MedleyCore
import MedleyFormats
import MedleyJSON
import Testing

/// Whatever bytes a file has: its records can be imported, or it is refused.
@Suite struct MutationTests {
    static let samples: [(String, String)] = [
        (
            "a.m3u8",
            """
            #EXTM3U x-tvg-url="http://example.com/g.xml"
            #PLAYLIST:Mix
            #EXTINF:225.5 tvg-id="a" group-title="News, x",The Band - The Weight
            #EXTGRP:Other
            #EXTVLCOPT:a=1
            #MEDLEY:{"id":"v1","type":"music","liked":true,"section":{"id":"s","title":"S"},"members":{"n":[1.10,{"k":null}]}}
            https://example.com/w.mp3
            C:\\é b.mp3
            #EXTINF:-1,No location
            """
        ),
        (
            "a.pls",
            "[playlist]\r\nX-GNOME-Title=Mix\r\nFile2=é.mp3\r\nTitle2=A - B\r\nLength2=5\r\nFile1=http://example.com\r\nNumberOfEntries=2\r\n"
        ),
        (
            "a.jspf",
            #"{"playlist":{"title":"P","annotation":"é","track":[{"location":["https://example.com/a.mp3"],"duration":2255,"creator":"C","#
                + #""extension":{"urn:x-medley":[{"id":"v","section":{"id":"s","title":"S"},"members":{"artist":"C"}}]}},7,{"title":"\u00e9"}]}}"#
        ),
        ("a.csv", "id,type,liked,section,sectionTitle,title\n1,music,true,s,S,\"'=a, \"\"b\"\"\"\n2,video,,,,é\n"),
        ("a.tsv", "id\ttitle\n1\t\"a\tb\"\n2\té\n"),
        ("a", "name;url;duration\nx;https://example.com/;3:45\ny;n/a;\"1\n2\"\n"),
        ("a.jsonl", "{\"id\":\"1\",\"section\":{\"id\":\"s\",\"title\":\"S\"},\"title\":\"é\"}\n{\"section\":7}\n"),
        ("a", "#EXTM3U\n#EXTINF:1,a\nb\n"), ("a", "[Playlist]\nFile1=a\n"),
        ("a", #"{"playlist":{"track":[{"title":"t"}]}}"#),
    ]

    /// Reads bytes and checks what comes of them; returns whether there was something.
    @discardableResult
    private static func check(_ bytes: [UInt8], name: String, chunk: Int, note: @autoclosure () -> String) -> Bool {
        var mapper = RecordMapper(RecordMapping())
        var items: [ItemContent] = []
        var hasMore = false
        do throws(FormatError) {
            var (_, reader) = try MediaFile.open(.chunked(bytes, chunk), name: name)
            while let entry = try reader.next() {
                guard case .record(let record) = entry else {
                    hasMore = true
                    continue
                }
                #expect(
                    !record.fields.isEmpty && Set(record.fields.map(\.name)).count == record.fields.count, "\(note())")
                items.append(mapper.item(of: record).content)
            }
        } catch {
            #expect(!error.message.isEmpty)
            hasMore = true
        }
        let change = Change(.upsert(items, at: nil))
        #expect((try? ChangeDecoder().changes(ChangeEncoder.encoded([change]))) == [change], "\(note())")
        return hasMore || !items.isEmpty
    }

    @Test(arguments: samples)
    func readsEveryPrefix(name: String, text: String) {
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            Self.check(Array(bytes[..<length]), name: name, chunk: 7, note: "the first \(length) bytes")
        }
        #expect(Self.check(bytes, name: name, chunk: 7, note: "all"))
    }

    @Test(arguments: samples)
    func readsMutations(name: String, text: String) {
        var random = SeededRandom()
        let telling = Array("#:,=\"'\n\r\t;[]{}\\ -\0\u{7F}é".utf8) + [0xFF, 0x80, 0xEF, 0xBB, 0xBF]
        for _ in 0..<400 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[index] = telling[Int.random(in: 0..<telling.count, using: &random)]
                case 2: bytes.insert(telling[Int.random(in: 0..<telling.count, using: &random)], at: index)
                default:
                    bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...9, using: &random)))
                    if bytes.isEmpty { bytes = [0x20] }
                }
            }
            let chunk = Int.random(in: 1...40, using: &random)
            Self.check(
                bytes, name: name, chunk: chunk,
                note: "\(random.note), \(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
    }
}
