import MedleyCore
import MedleyFormats
import Testing

@Suite struct M3UReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var lines: [String]
        var records: [[String]] = []
        var sections: [String]?
        var head: [String] = []
        var refusals: [String] = []
        var notices: [String] = []
        var testDescription: String { name }

        var text: String { lines.joined(separator: "\n") + "\n" }
    }

    static let cases: [Case] = [
        Case(
            name: "an extended list",
            lines: [
                "#EXTM3U", "#EXTINF:225,The Band - The Weight", "https://example.com/weight.mp3", "# a remark", "",
                "#EXTINF:-1,Radio", "https://example.com/radio",
            ],
            records: [
                ["title=The Weight", "artist=The Band", "url=https://example.com/weight.mp3", "duration=225"],
                ["title=Radio", "url=https://example.com/radio"],
            ], sections: [#"mix "title":"mix""#, #"mix "title":"mix""#]),
        Case(
            name: "a plain list",
            lines: [
                "a b.mp3", "Music\\Öl.ogg", "C:\\Music\\one two.mp3", "\\\\server\\share\\x.mp3", "../up/y",
                "/srv/ü 1%.flac",
            ],
            records: [
                ["title=a b", "path=a b.mp3"], ["title=Öl", "path=Music\\Öl.ogg"],
                ["title=one two", "path=C:\\Music\\one two.mp3"], ["title=x", "path=\\\\server\\share\\x.mp3"],
                ["path=../up/y"], ["title=ü 1%", "url=file:///srv/%C3%BC%201%25.flac"],
            ]),
        Case(
            name: "locations",
            lines: [
                "http://example.com/a b.mp3?x=1#y", "spotify:track:4uLU6hMCjMI75M1A2tKUQC", "Re:Stacks.mp3",
                "http://", "c:/x.mp3", "//example.com/z.mp3", "file:///a.mp3", "rtmp://example.com/live",
            ],
            records: [
                ["title=a b", "url=http://example.com/a%20b.mp3?x=1#y"], ["url=spotify:track:4uLU6hMCjMI75M1A2tKUQC"],
                ["title=Re:Stacks", "path=Re:Stacks.mp3"], ["path=http://"], ["title=x", "path=c:/x.mp3"],
                ["title=z", "path=//example.com/z.mp3"], ["title=a", "url=file:///a.mp3"],
                ["url=rtmp://example.com/live"],
            ]),
        Case(
            name: "durations",
            lines: ["12.5", "0", "-1", "-0.5", "007", "3:45", "+7", "", "1:75", "x", ".5"].map {
                "#EXTINF:\($0),t\na"
            },
            records: [
                ["title=t", "path=a", "duration=12.5"], ["title=t", "path=a", "duration=0"], ["title=t", "path=a"],
                ["title=t", "path=a"], ["title=t", "path=a", "duration=7"], ["title=t", "path=a", "duration=225"],
                ["title=t", "path=a", "duration=7"], ["title=t", "path=a"], ["title=t", "path=a", "duration=1:75"],
                ["title=t", "path=a", "duration=x"], ["title=t", "path=a", "duration=0.5"],
            ]),
        Case(
            name: "attributes",
            lines: [
                #"#EXTINF:-1 tvg-id="one.tv" TVG-LOGO="https://example.com/l.png" group-title="News, local" x=y empty="",One - HD, east"#,
                "http://example.com/1",
            ],
            records: [
                [
                    "title=One - HD, east", "url=http://example.com/1", "artworkURL=https://example.com/l.png",
                    "tvg-id=one.tv", "x=y",
                ]
            ], sections: [#"News, local "title":"News, local""#]),
        Case(
            name: "attributes that are not quite right",
            lines: [
                #"#EXTINF:-1 a="1"b="2" c="the "big"-one" word d=3,T"#, "1", #"#EXTINF:5 a="open b=2,T"#, "2",
                "#EXTINF:7 Title without comma", "3", #"#EXTINF:7 a="1" Title, without"#, "4", "#EXTINF:,", "5",
                "#EXTINF:9", "6",
                #"#EXTINF:1 title="U",T"#, "7",
            ],
            records: [
                ["title=T", "path=1", "a=1", "b=2", "c=the \"big\"-one", "d=3", "EXTINF=word"],
                ["title=T", "path=2", "duration=5", "a=open b=2"],
                ["title=Title without comma", "path=3", "duration=7"],
                ["title=without", "path=4", "duration=7", "a=1", "EXTINF=Title"],
                ["path=5"], ["path=6", "duration=9"], ["title=T", "path=7", "duration=1", "title-2=U"],
            ]),
        Case(
            name: "artists and titles",
            lines: [
                "A - B - C", "A-B", "(#1 - 3/5) Radio", " - B", "A - ", "Live [a - b] - C",
            ].map { "#EXTINF:1,\($0)\nx" },
            records: [
                ["title=B - C", "artist=A", "path=x", "duration=1"], ["title=A-B", "path=x", "duration=1"],
                ["title=(#1 - 3/5) Radio", "path=x", "duration=1"], ["title=- B", "path=x", "duration=1"],
                ["title=A -", "path=x", "duration=1"], ["title=C", "artist=Live [a - b]", "path=x", "duration=1"],
            ]),
        Case(
            name: "directives about one entry",
            lines: [
                "#EXTINF:1,Joe - Song", "#EXTALB: Album ", "#EXTGENRE:Folk", "#EXTIMG:https://example.com/i.png",
                "#EXTVLCOPT:a=1", "#EXTVLCOPT:b=2", "#KODIPROP:k=v", "#Note: a remark", "x", "#EXTINF:1,Next", "y",
            ],
            records: [
                [
                    "title=Song", "artist=Joe", "album=Album", "genre=Folk", "path=x",
                    "artworkURL=https://example.com/i.png", "duration=1", "EXTVLCOPT=a=1\nb=2", "KODIPROP=k=v",
                ], ["title=Next", "path=y", "duration=1"],
            ]),
        Case(
            name: "directives about all that follow",
            lines: [
                "#EXTALB:Album", "#EXTART:Various", "#EXTGRP:One", "#EXTINF:1,Joe - Song", "x",
                "#EXTINF:1,Various - Two",
                "#EXTGRP:Two", "y", "#EXTGRP:", "z",
            ],
            records: [
                ["title=Song", "artist=Joe", "albumArtist=Various", "album=Album", "path=x", "duration=1"],
                ["title=Two", "artist=Various", "album=Album", "path=y", "duration=1"],
                ["artist=Various", "album=Album", "path=z"],
            ], sections: [#"One "title":"One""#, #"Two "title":"Two""#, ""]),
        Case(
            name: "two groups and two pictures",
            lines: [
                #"#EXTINF:1 tvg-logo="https://example.com/l.png" group-title="One",A - B"#, "#EXTGRP:Two",
                "#EXTIMG:i.png", "x",
                #"#EXTINF:1 group-title="One",B"#, "#EXTGRP:One", "y",
            ],
            records: [
                [
                    "title=A - B", "path=x", "artworkURL=https://example.com/l.png", "EXTIMG=i.png", "EXTGRP=Two",
                    "duration=1",
                ], ["title=B", "path=y", "duration=1"],
            ], sections: [#"One "title":"One""#, #"One "title":"One""#]),
        Case(
            name: "a playlist's name",
            lines: [
                "#EXTM3U x-tvg-url=\"http://example.com/guide.xml\" title=\"no\"", "#PLAYLIST:Summer 2024", "a",
                "#PLAYLIST:Other", "b",
            ],
            records: [["path=a"], ["path=b"]],
            sections: [#"Summer 2024 "title":"Summer 2024""#, #"Other "title":"Other""#],
            head: [#""x-tvg-url":"http://example.com/guide.xml","title":"Summer 2024""#],
            notices: ["line 4: another #PLAYLIST, or one behind entries; it names a section only"]),
        Case(
            name: "entries without a location",
            lines: [
                "#EXTINF:1,One", "#EXTINF:2,Two", "y", "#EXTINF:-1,", "#EXTINF:3,Three",
            ],
            records: [
                ["title=One", "duration=1"], ["title=Two", "path=y", "duration=2"], ["title=Three", "duration=3"],
            ],
            refusals: ["line 4: an entry without a title and a location"],
            notices: [
                "line 1: an entry has no location; it is kept with what is said of it",
                "line 5: an entry has no location; it is kept with what is said of it",
            ]),
        Case(
            name: "an entry with all that Medley says of it",
            lines: [
                "#EXTINF:1,A - B",
                ##"#MEDLEY:{"id":"v1","type":"music","liked":true,"section":{"id":"s","title":"S","x":1},"members":{"title":"A - B","n":[1.10,{"k":null}]}}"##,
                "https://example.com/x.mp3", "#EXTINF:2,T", "#MEDLEY:{\"id\":\"v2\"", "y",
            ],
            records: [
                [
                    "id=\"v1\"", "type=\"music\"", "liked=true", "url=https://example.com/x.mp3", "duration=1",
                    "title=\"A - B\"", #"n=[1.10,{"k":null}]"#,
                ], ["title=T", "path=y", "duration=2", "MEDLEY={\"id\":\"v2\""],
            ], sections: [#"s "title":"S","x":1"#, #"mix "title":"mix""#],
            notices: ["line 5: a #MEDLEY directive that cannot be read; it is kept as text"]),
        Case(
            name: "directives behind the last entry", lines: ["a", "#EXTVLCOPT:x"], records: [["path=a"]],
            notices: ["line 1: directives behind the last entry were skipped"]),
        Case(
            name: "lower case and spaces", lines: ["#extm3u", "  #extinf: 5 , T ", "  x  "],
            records: [["title=T", "path=x", "duration=5"]]),
        Case(
            name: "a NUL byte", lines: ["#EXTM3U", "a\0b", "c"], records: [["path=c"]], refusals: ["line 2: a NUL byte"]
        ),
        Case(
            name: "a directive of HTTP Live Streaming that others use",
            lines: ["#EXTM3U", "#EXT-X-SESSION-DATA:DATA-ID=\"x\"", "a"],
            records: [["path=a", "EXT-X-SESSION-DATA=DATA-ID=\"x\""]]),
    ]

    @Test(arguments: cases, [1, 3, 65536])
    func readsPlaylists(_ test: Case, chunk: Int) {
        // A NUL near the start makes a file binary.
        let text =
            test.text.contains("\0")
            ? test.text.replacing("#EXTM3U", with: "#EXTM3U" + String(repeating: " ", count: 5000)) : test.text
        let reading = Reading(text, name: "some/mix.m3u", chunk: chunk)
        #expect(reading.error == nil)
        #expect(reading.records == test.records)
        if let sections = test.sections { #expect(reading.recordSections == sections) }
        #expect(reading.sections == test.head)
        #expect(reading.refusals == test.refusals)
        #expect(reading.notices == test.notices)
    }

    @Test(arguments: ["\n", "\r\n", "\r"], [1, 2, 65536])
    func readsAnyLineEnd(end: String, chunk: Int) {
        for mark in ["", "\u{FEFF}"] {
            let text = mark + ["#EXTM3U", "#EXTINF:1,A", "", "x", "#EXTINF:2,B", "y"].joined(separator: end)
            let reading = Reading(text, chunk: chunk)
            #expect(reading.records == [["title=A", "path=x", "duration=1"], ["title=B", "path=y", "duration=2"]])
            #expect(reading.lines == [2, 5])
            #expect(reading.error == nil)
        }
    }

    @Test func readsWindows1252LineByLine() {
        let bytes =
            Array("#EXTM3U\n#EXTINF:1,Caf".utf8) + [0xE9, 0x20, 0x80, 0x95] + Array("\nÖl.mp3\n".utf8) + [0xD6]
            + Array("l.mp3\n".utf8)
        let reading = Reading(bytes, name: "x.m3u", chunk: 5)
        #expect(reading.records == [["title=Café €•", "path=Öl.mp3", "duration=1"], ["title=Öl", "path=Öl.mp3"]])
        #expect(reading.notices == ["line 2: lines that are not UTF-8 are read as Windows-1252"])
    }

    @Test(arguments: ["#EXT-X-TARGETDURATION:10", "#EXT-X-STREAM-INF:BANDWIDTH=1", "#EXT-X-VERSION:3"])
    func refusesHTTPLiveStreaming(directive: String) {
        let reading = Reading("#EXTM3U\n\(directive)\n#EXTINF:9.9,\nsegment0.ts\n", name: "x.m3u8")
        #expect(reading.error == .unsupported)
        #expect(reading.records.isEmpty)
        #expect(reading.message.hasPrefix("line 2: an HTTP Live Streaming playlist (#EXT-X-"))
    }

    @Test func refusesALineThatIsTooLongAndReadsOn() {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: (1 << 20) + 1)
        let reading = Reading(Array("#EXTM3U\na\n".utf8) + long + Array("\nb\n".utf8))
        #expect(reading.records == [["path=a"], ["path=b"]])
        #expect(reading.refusals == ["line 3: the line has more than 1 MiB"])
        let exact = Reading(Array("#EXTM3U\n".utf8) + long.dropLast() + Array("\nb\n".utf8))
        #expect(exact.records.count == 2 && exact.refusals.isEmpty)
    }

    @Test func refusesAnEntryThatIsTooLong() {
        let directive = "#EXTVLCOPT:" + String(repeating: "x", count: 1 << 18) + "\n"
        let reading = Reading("#EXTM3U\n" + String(repeating: directive, count: 6) + "#EXTINF:1,T\na\nb\n")
        // Without what was refused it would be another entry.
        #expect(reading.records == [["path=b"]])
        #expect(reading.refusals.count == 3)
    }

    /// The location alone would become an item, or take from one that is there what the refused line says.
    @Test(arguments: ["\0", String(repeating: "x", count: 3 << 20)])
    func aRefusedDirectiveTakesItsEntryWithIt(text: String) {
        // A NUL near the start makes a file binary.
        let start = "#EXTM3U\n# \(String(repeating: "x", count: 5_000))\n#EXTINF:1,A\n"
        let reading = Reading(start + "#MEDLEY:{\"id\":\"\(text)\"}\na\n#EXTINF:2,B\nb\n")
        #expect(reading.records == [["title=B", "path=b", "duration=2"]])
        #expect(reading.refusals.count == 1)
    }

    @Test func aLocationThatIsRefusedLeavesNothingToTheNextEntry() {
        let start = "#EXTM3U\n# \(String(repeating: "x", count: 5_000))\n"
        let reading = Reading(start + "#EXTINF:1,A\na\0\nb\n")
        #expect(reading.records == [["path=b"]])
    }

    @Test func aModelOfFullSizeComesBack() {
        let own = #"#MEDLEY:{"id":"a","members":{"note":"\#(String(repeating: "x", count: (1 << 20) - 100))"}}"#
        let reading = Reading("#EXTM3U\n#EXTINF:1,A\n\(own)\na\n")
        #expect(reading.refusals.isEmpty)
        #expect(reading.records.first?.first == "id=\"a\"")
    }

    /// Time that grows with the square of a line's length would not end here.
    @Test(arguments: ["a=\"b ", "a=1 ", "\"x", "- ", "a=\"", "((", " - "])
    func readsLongLinesInLinearTime(piece: String) {
        let line = String(repeating: piece, count: (1 << 17) / piece.utf8.count)
        let reading = Reading("#EXTM3U \(line)\n#EXTINF:1 \(line)\nx\n#EXTINF:1,\(line)\ny\n")
        #expect(reading.records.count == 2)
    }

    @Test func takesTheIdentityFromTheLocationTheIDOrTheNames() {
        let reading = Reading(
            """
            #EXTM3U
            #EXTINF:1 tvg-id="t",A - B
            http://example.com/a b
            #EXTINF:1 tvg-id="t",A - B
            #EXTINF:1,A - B|C
            #EXTINF:1,B
            """)
        #expect(reading.identities == ["http://example.com/a b", "t", "A|B\\|C", "B"])
    }

    @Test func tellsEqualEntriesApartAndSaysSo() throws {
        let text = "#EXTM3U\na.mp3\nb.mp3\na.mp3\na.mp3~2\na.mp3\n"
        let items = try RecordMapperTests.map(text)
        #expect(items.map(\.content.id) == ["a.mp3", "b.mp3", "a.mp3~2", "a.mp3~2~2", "a.mp3~3"])
        #expect(items.map(\.notices.count) == [0, 0, 1, 1, 1])
        #expect(try RecordMapperTests.map(text).map(\.content.id) == items.map(\.content.id))
        // A location that cannot be an id gives the same hash each time.
        let long = try RecordMapperTests.map("#EXTM3U\n" + String(repeating: "x", count: 300) + ".mp3\n")
        #expect(long.map(\.content.id.utf8.count) == [32])
    }
}
