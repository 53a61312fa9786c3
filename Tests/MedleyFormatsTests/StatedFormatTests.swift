import MedleyFormats
import Testing

@Suite struct StatedFormatTests {
    @Test func everyNameIsOne() {
        for name in StatedFormat.names { #expect(StatedFormat(name: name) != nil, "\(name)") }
        #expect(StatedFormat(name: "M3U8") == .format(.m3u))
        #expect(StatedFormat(name: "exe") == nil)
    }

    /// The type by which a format is sent is one by which it is taken.
    @Test(arguments: MediaFormat.allCases.filter { $0 != .folder })
    func everyFormatHasItsMediaType(format: MediaFormat) {
        let stated = StatedFormat(mediaType: format.mediaType)
        switch format {
        case .snapshot, .jsonArray: #expect(stated == .json)
        default: #expect(stated == .format(format))
        }
    }

    /// A page of another site may send these without asking.
    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
    func noSimpleTypeIsAmongThem(type: String) { #expect(StatedFormat(mediaType: type) == nil) }

    private func format(_ text: String, _ name: String, _ stated: StatedFormat) throws -> MediaFormat {
        try MediaFile.open(ByteReader(Array(text.utf8)), name: name, as: stated).format
    }

    @Test func whatIsStatedWinsOverWhatContentTells() throws {
        #expect(try format("a,b\n1,2\n", "x.m3u", .format(.csv)) == .csv)
        #expect(try format("a\tb\n1\t2\n", "x", .format(.csv)) == .tsv)
        #expect(try format("#EXTM3U\na.mp3\n", "x.csv", .format(.m3u)) == .m3u)
        #expect(try format("[]", "x", .json) == .jsonArray)
        #expect(try format("{\"sections\":[]}", "x", .json) == .snapshot)
        #expect(try format("{\"a\":1}\n{\"a\":2}\n", "x", .json) == .jsonLines)
        #expect(try format("{\"playlist\":{\"track\":[]}}", "x", .json) == .jspf)
        #expect(try format("\u{FEFF}<rss><channel/></rss>", "x", .xml) == .rss)
        #expect(try format("<feed xmlns='http://www.w3.org/2005/Atom'/>", "x", .format(.rss)) == .atom)
    }

    @Test(arguments: [
        ("a,b\n", StatedFormat.json, FormatError.Code.malformed), ("a,b\n", .xml, .malformed),
        ("<opml/>", .format(.rss), .malformed), ("", .format(.m3u), .empty), ("", .json, .empty), (" \n", .xml, .empty),
        ("a\u{0}b", .format(.csv), .binary), ("PK\u{3}\u{4}", .xml, .binary),
    ])
    func contentThatIsNotWhatIsStatedIsRefused(_ text: String, _ stated: StatedFormat, code: FormatError.Code) {
        let error = #expect(throws: FormatError.self) { try format(text, "x", stated) }
        #expect(error?.code == code)
    }

    @Test func aHeaderOfEndlesslyManyColumnsIsRefused() {
        let header = String(repeating: ",", count: 20_000) + "\n"
        let error = #expect(throws: FormatError.self) { try format(header, "x.csv", .byContent) }
        #expect(error?.code == .tooLarge)
    }
}
