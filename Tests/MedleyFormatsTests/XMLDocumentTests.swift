import Foundation
import Glibc
import JSONText
import MedleyCore
import MedleyFormats
import Testing

/// What holds for every format in XML, whatever is in the file.
@Suite struct XMLDocumentTests {
    /// A sample of each format.
    static let samples = [
        FeedReaderTests.feed(
            "<guid>g</guid><title>A &#233; <![CDATA[x]]></title><enclosure url='https://e.example/a.mp3'/>"),
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><entry><id>a</id><title>A</title></entry></feed>",
        PlaylistReaderTests.xspf, PlaylistReaderTests.opml, MusicLibraryReaderTests.library,
    ]

    @Test(arguments: samples) func everyPrefixGivesNothingButTheReason(_ text: String) {
        let bytes = Array(text.utf8)
        let whole = XMLReading(bytes)
        #expect(whole.error == nil && !whole.items.isEmpty)
        let end = bytes.lastIndex(of: UInt8(ascii: ">")) ?? 0
        // Entries come from a reader, and there is none.
        let accepted = (0...end).filter { length in
            (try? MediaFile.open(ByteReader(Array(bytes[..<length])), name: "x")) != nil
        }
        #expect(accepted.isEmpty)
        #expect(XMLReading(bytes, chunk: 7).models == whole.models)
    }

    @Test(arguments: samples) func changedBytesNeverTrap(_ text: String) {
        var random = SeededRandom()
        let bytes = Array(text.utf8)
        var read = 0
        for _ in 0..<400 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: changed.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: index)
                default: changed.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            let reading = XMLReading(changed)
            #expect(reading.error == nil || reading.items.isEmpty, "\(random.note)")
            if reading.error == nil { read += 1 }
        }
        // Some changes do no harm, such as those of a letter in a title.
        #expect(read > 0, "\(random.note)")
    }

    @Test(arguments: [
        (
            "<rss>\n<channel>\n<item>", FormatError.Code.malformed, 3,
            "the XML document ends in the middle, in <item>, which begins on line 3; nothing of it is imported"
        ),
        (
            "<rss><channel></rss>", .malformed, 1,
            "another tag is closed than the one that is open: <channel>, which begins on line 1"
        ),
        ("<rss><channel/></rss>\n<x/>", .malformed, 2, "something stands behind the XML document's end"),
        (
            "<rss>\n<channel>a&nbsp;b</channel></rss>", .malformed, 2,
            "&nbsp; means nothing here: XML knows &amp; &lt; &gt; &quot; &apos; and numbers such as &#160;"
        ),
        ("<rss><channel a='1' a='2'/></rss>", .malformed, 1, "a tag's attributes are not well-formed XML"),
        (
            "<rss><channel>\u{1}</channel></rss>", .malformed, 1,
            "a character that XML does not allow, or text that is not in the document's encoding"
        ),
        ("<rss/>", .malformed, 1, "the feed has no channel"),
        ("<opml/>", .malformed, 1, "the OPML document has no body"),
        ("<playlist/>", .malformed, 1, "the playlist has no trackList"),
        ("<plist><dict/></plist>", .malformed, 1, "the property list is no music library: it has no Tracks"),
        (
            "<!DOCTYPE html>\n<html></html>", .malformed, 0,
            "the file is a web page, not a playlist or feed; is the address right?"
        ),
        (
            "<svg/>", .malformed, 0,
            "the XML element <svg> begins none of the formats that can be imported: XSPF, RSS, Atom, OPML and music libraries"
        ),
        ("<?xml version='1.0'?>\n<!-- x -->", .malformed, 2, "the XML document ends before its first element"),
        (
            "<?xml version='1.0' encoding='UTF-7'?><rss/>", .notUTF8, 1,
            "text in the encoding \"UTF-7\" cannot be read; convert the file to UTF-8 first"
        ),
        (
            "<?xml version='1.0' encoding='EBCDIC'?><rss/>", .notUTF8, 1,
            "text in the encoding \"EBCDIC\" cannot be read; convert the file to UTF-8 first"
        ),
        ("<3", .malformed, 1, "not XML: there is no element where one has to begin"),
    ])
    func saysWhereADocumentIsBroken(_ text: String, code: FormatError.Code, line: Int, message: String) {
        let error = XMLReading(text).error
        #expect(
            error?.code == code && error?.message == message && (error?.line ?? 0) == line,
            "\(String(describing: error))")
    }

    @Test(arguments: [
        "<!DOCTYPE rss [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]>",
        "<!DOCTYPE rss [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE rss [<!ENTITY % a SYSTEM 'http://127.0.0.1:9/'> %a;]>",
        "<!DOCTYPE rss PUBLIC 'a' \"b'[\" [<!ATTLIST item x CDATA 'y'>]>", "<!DOCTYPE rss\n[\n]>",
        "<!doctype rss [<!ENTITY a 'b'>]>",
        "<!-- <!DOCTYPE x> --><?a [ ?><!DOCTYPE rss [<!ENTITY a 'b'>]>",
    ])
    func refusesADocumentThatDeclaresAnything(_ declaration: String) {
        let text = "<?xml version='1.0'?>\(declaration)<rss><channel><title>&a;&c;</title></channel></rss>"
        for bytes in [Array(text.utf8), Self.utf16(text, littleEndian: true), Self.utf16(text, littleEndian: false)] {
            let error = XMLReading(bytes).error
            #expect(error?.code == .malformed)
            #expect(
                error?.message
                    == "the document type declares entities or elements of its own; such a document is not read")
        }
    }

    @Test func refusesASecondDocumentType() {
        let text = "<!DOCTYPE rss><!DOCTYPE rss [<!ENTITY a 'b'>]><rss><channel/></rss>"
        #expect(XMLReading(text).error != nil)
        #expect(XMLReading("<!DOCTYPE rss SYSTEM 'x'><!DOCTYPE rss><rss><channel/></rss>").error != nil)
        #expect(XMLReading("<rss><!DOCTYPE rss [<!ENTITY a 'b'>]><channel>&a;</channel></rss>").error != nil)
    }

    /// A pipe that nobody writes to holds up whoever opens it, so this test ends only if nobody does.
    @Test(.timeLimit(.minutes(1))) func opensNoFileThatADocumentNames() throws {
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)").path
        let made = unsafe mkfifo(pipe, 0o600)
        try #require(made == 0)
        defer { unsafe unlink(pipe) }
        for name in [pipe, "file://\(pipe)"] {
            let plain = XMLReading(
                "<!DOCTYPE rss SYSTEM '\(name)'><rss><channel><item><guid>g</guid></item></channel></rss>")
            #expect(plain.ids == ["g"])
            let entity = XMLReading(
                "<!DOCTYPE rss SYSTEM '\(name)'><rss><channel><item><guid>&x;</guid></item></channel></rss>")
            #expect(entity.error?.message.hasPrefix("&x; means nothing here") == true)
            let inclusion =
                "<rss xmlns:xi='http://www.w3.org/2001/XInclude'><channel><item><guid>g</guid><xi:include href='\(name)'/></item></channel></rss>"
            #expect(XMLReading(inclusion).ids == ["g"])
        }
    }

    @Test func connectsToNothingThatADocumentNames() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        try #require(listener >= 0)
        defer { close(listener) }
        try #require(listen(listener, 4) == 0)
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(listener, $0, &size) }
        }
        try #require(named == 0)
        let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/x.dtd"
        let text = "<!DOCTYPE rss PUBLIC '-//X//Y' '\(url)'><rss><channel><item><guid>g</guid></item></channel></rss>"
        #expect(XMLReading(text).ids == ["g"])
        #expect(
            XMLReading("<!DOCTYPE rss [<!ENTITY x SYSTEM '\(url)'>]><rss><channel>&x;</channel></rss>").error != nil)
        let connection = accept(listener, nil, nil)
        let reason = errno
        #expect(connection == -1 && reason == EAGAIN)
    }

    @Test func boundsDepthAttributesAndText() {
        let deep = String(repeating: "<a>", count: 1000) + String(repeating: "</a>", count: 1000)
        let cases = [
            ("<rss><channel>\(deep)</channel></rss>", "elements nest deeper than 100"),
            ("<opml><body>\(deep.replacing("a>", with: "outline>"))</body></opml>", "elements nest deeper than 100"),
            (
                "<rss><channel x='\(String(repeating: "y", count: 2 << 20))'/></rss>",
                "the attributes of an element have more than 1 MiB"
            ),
            (
                "<?x \(String(repeating: "y", count: 1 << 16))?><rss/>",
                "the first element is not within the first 64 KiB"
            ),
        ]
        for (text, message) in cases {
            let error = XMLReading(text).error
            #expect(error?.code == .tooLarge && error?.message == message, "\(String(describing: error))")
        }
        let flat = String(repeating: "<outline text='a'>", count: 90) + String(repeating: "</outline>", count: 90)
        #expect(XMLReading("<opml><body>\(flat)</body></opml>").items.count == 1)
    }

    /// What is kept as JSON is never deeper than an item may be, which `XMLReading` checks.
    @Test func keepsWhatNestsDeeplyAsTextInside() {
        let feed = String(repeating: "<a b='1'><a/>", count: 90) + "x" + String(repeating: "</a>", count: 90)
        #expect(XMLReading("<rss><channel><item><guid>g</guid>\(feed)</item></channel></rss>").ids == ["g"])
        let values =
            String(repeating: "<array>", count: 90) + "<string>x</string>" + String(repeating: "</array>", count: 90)
        let track = MusicLibraryReaderTests.track(1, "<key>Name</key><string>N</string><key>Deep</key>\(values)")
        #expect(XMLReading(MusicLibraryReaderTests.library([track], [])).items.count == 1)
    }

    @Test func readsALongDocumentInPieces() {
        let item =
            "<item><guid>0123456789</guid><description>\(String(repeating: "x", count: 20_000))</description></item>\n"
        let text = "<rss><channel>\(String(repeating: item, count: 700))</channel></rss>"
        #expect(text.utf8.count > 13 << 20)
        #expect(XMLReading(text).items.count == 700)
    }

    static func utf16(_ text: String, littleEndian: Bool, mark: Bool = true) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return littleEndian ? [low, high] : [high, low]
        }
    }

    @Test func readsTheEncodingsThatFilesHave() {
        func text(_ declaration: String, _ title: String = "é€") -> String {
            "\(declaration)<rss><channel><item><guid>g</guid><title>\(title)</title></item></channel></rss>"
        }
        func encoded(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            let parts = text("<?xml version='1.0' encoding='\(name)'?>", "|").split(separator: "|")
            return Array(parts[0].utf8) + bytes + Array(parts[1].utf8)
        }
        let whole = #""title":"é€""#
        #expect(XMLReading([0xEF, 0xBB, 0xBF] + Array(text("").utf8)).models == [whole])
        #expect(
            XMLReading([0xEF, 0xBB, 0xBF] + Array(text("<?xml version='1.0' encoding='utf-8'?>").utf8)).models == [
                whole
            ])
        for littleEndian in [true, false] {
            let declared = text("<?xml version='1.0' encoding='UTF-16'?>")
            #expect(XMLReading(Self.utf16(declared, littleEndian: littleEndian)).models == [whole])
            #expect(XMLReading(Self.utf16(text(""), littleEndian: littleEndian)).models == [whole])
            let name = littleEndian ? "UTF-16LE" : "UTF-16BE"
            let bare = text("<?xml version='1.0' encoding='\(name)'?>")
            #expect(XMLReading(Self.utf16(bare, littleEndian: littleEndian, mark: false)).models == [whole])
        }
        #expect(XMLReading(encoded("windows-1252", [0xE9, 0x80])).models == [whole])
        #expect(XMLReading(encoded("ISO-8859-15", [0xE9, 0xA4])).models == [whole])
        #expect(XMLReading(encoded("iso-8859-1", [0xE9])).models == [#""title":"é""#])
        #expect(XMLReading(encoded("UTF-8", [0xE9])).error?.code == .malformed)
    }

    @Test(arguments: [
        ([], FormatError.Code.empty), ([0x00, 0x01, 0x02, 0x03], .binary), (Array("PK\u{3}\u{4}".utf8), .binary),
        ([0xFF, 0xFE, 0x00, 0x00, 0x3C, 0, 0, 0], .notUTF8), ([0x3C, 0x00], .malformed), ([0x3C], .malformed),
    ])
    func refusesWhatIsNoText(_ bytes: [UInt8], code: FormatError.Code) {
        #expect(XMLReading(bytes, name: "x.xml").error?.code == code)
    }
}
