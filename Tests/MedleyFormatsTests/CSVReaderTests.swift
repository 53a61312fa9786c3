import MedleyFormats
import Testing

@Suite struct CSVReaderTests {
    @Test func manyColumnsOfOneNameAreNumbered() throws {
        let header = (["a-3"] + Array(repeating: "a", count: 9_000)).joined(separator: ",")
        let names = try CSVReader(ByteReader(Array("\(header)\n".utf8))).columns?.map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(names?.prefix(5) == ["a-3", "a", "a-2", "a-4", "a-5"])
        #expect(names?.last == "a-9001" && Set(names ?? []).count == 9_001)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var records: [[String]] = []
        var lines: [Int]?
        var refusals: [String] = []
        var notices: [String] = []
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "plain", text: "a,b\n1,2\n3,4\n", records: [["a=1", "b=2"], ["a=3", "b=4"]], lines: [2, 3]),
        Case(name: "no newline at the end", text: "a,b\n1,2", records: [["a=1", "b=2"]]),
        Case(
            name: "CRLF, LF and CR mixed", text: "a,b\r\n1,2\n3,4\r5,6\r\n",
            records: [["a=1", "b=2"], ["a=3", "b=4"], ["a=5", "b=6"]], lines: [2, 3, 4]),
        Case(name: "byte order mark", text: "\u{FEFF}a,b\n1,2\n", records: [["a=1", "b=2"]]),
        Case(
            name: "byte order mark before a quote", text: "\u{FEFF}\"a\",b\n1,2\n", records: [["a=1", "b=2"]]),
        Case(
            name: "quotes", text: "a,b\n\"x, \"\"y\"\"\",\"\"\n\"\"\"\",2\n",
            records: [["a=x, \"y\""], ["a=\"", "b=2"]]),
        Case(
            name: "line ends in quotes", text: "a,b\n\"1\n2\r\n3\r4\",x\n5,6\n",
            records: [["a=1\n2\r\n3\r4", "b=x"], ["a=5", "b=6"]], lines: [2, 6]),
        Case(name: "a quote within a cell is text", text: "a,b\n5\" disc,2\n", records: [["a=5\" disc", "b=2"]]),
        Case(name: "spaces stay", text: "a,b\n 1 , 2\n", records: [["a= 1 ", "b= 2"]]),
        Case(name: "blank lines", text: "\n\na,b\n\n1,2\n\r\n", records: [["a=1", "b=2"]], lines: [5]),
        Case(name: "empty cells are left out", text: "a,b,c\n,2,\n", records: [["b=2"]]),
        Case(
            name: "ragged rows", text: "a,b\n1\n1,2,3\n1,2,,\n7,8\n", records: [["a=1", "b=2"], ["a=7", "b=8"]],
            refusals: [
                "line 2: 1 cell where the header has 2 columns", "line 3: 3 cells where the header has 2 columns",
            ]),
        Case(
            name: "text behind a quote", text: "a,b\n\"1\"x,2\n3,4\n", records: [["a=3", "b=4"]],
            refusals: ["line 2: text after a closing quote"]),
        Case(
            name: "a quote never closed", text: "a,b\n1,2\n3,\"4\n5,6\n", records: [["a=1", "b=2"]],
            refusals: [
                "line 3: the quote opened on line 3 is never closed; everything after it is part of this row"
            ]),
        Case(
            name: "a row of empty cells", text: "a,b\n,\n1,2\n", records: [["a=1", "b=2"]],
            notices: ["line 2: a row whose cells are all empty was skipped"]),
        Case(
            name: "columns without a name and with another's", text: "a,,a,a-2,a\n1,2,3,4,5\n",
            records: [["a=1", "column-2=2", "a-3=3", "a-2=4", "a-4=5"]],
            notices: [
                "line 1: column 2 has no name; it is kept as \"column-2\"",
                "line 1: column 3 is another \"a\"; it is kept as \"a-3\"",
                "line 1: column 5 is another \"a\"; it is kept as \"a-4\"",
            ]),
        Case(name: "header only", text: "a,b\n"),
        Case(name: "not ASCII", text: "ö,b\nÄ,🎸\n", records: [["ö=Ä", "b=🎸"]]),
        Case(
            name: "both normal forms", text: "\u{E9},e\u{301}\n1,2\n", records: [["\u{E9}=1", "e\u{301}=2"]]),
    ]

    @Test(
        "The header's most frequent separator parts the cells",
        arguments: [
            ("a;b\n1;2\n", MediaFormat.csv, ["a=1", "b=2"]), ("a\tb\n1\t2\n", .tsv, ["a=1", "b=2"]),
            ("a;b,c\n1,2\n", .csv, ["a;b=1", "c=2"]), ("a;b,c;d\n1;2;3\n", .csv, ["a=1", "b,c=2", "d=3"]),
            ("\"a,b,c\";d\n1,5;2\n", .csv, ["a,b,c=1,5", "d=2"]),
            ("\n\na\tb\r\n1\t\"x\ty\"\r\n", .tsv, ["a=1", "b=x\ty"]),
            ("one\n1;2\n", .csv, ["one=1;2"]), ("\"a\n;;\"\tb\n1\t2", .tsv, ["a\n;;=1", "b=2"]),
        ])
    func otherSeparators(text: String, format: MediaFormat, record: [String]) throws {
        #expect(try MediaFile.open(ByteReader(Array(text.utf8)), name: "t.csv").format == format)
        for chunk in [1, 3, 65536] {
            #expect(Reading(text, name: "t.csv", chunk: chunk).records == [record])
        }
    }

    @Test func aTableNamedSoIsPartedByTabs() {
        #expect(Reading("a,b,c\td\n1\t2\n", name: "t.tsv").records == [["a,b,c=1", "d=2"]])
    }

    /// A header longer than what is looked at first.
    @Test func findsTheSeparatorOfALongHeader() {
        let names = (0..<3000).map { "column \($0)" }
        let text = names.joined(separator: ";") + "\n" + names.joined(separator: ";") + "\n"
        #expect(Reading(text, chunk: 100).records == [names.map { "\($0)=\($0)" }])
    }

    @Test func knowsTheSectionsOfAnExportedTable() {
        let reading = Reading(
            "id,type,liked,section,sectionTitle,title,'=x\n1,music,true,v,Video,'=1+1,'-a\n2,music,false,,,''@,-5\n")
        #expect(
            reading.records == [
                ["id=1", "type=music", "liked=true", "title==1+1", "=x=-a"],
                ["id=2", "type=music", "liked=false", "title='@", "=x=-5"],
            ])
        #expect(reading.recordSections == [#"v "title":"Video""#, ""])
        // Another table's apostrophes and columns are its own.
        #expect(
            Reading("id,type,liked,section\n1,a,true,'=x\n").records == [
                ["id=1", "type=a", "liked=true", "section='=x"]
            ])
    }

    @Test(arguments: cases, [1, 2, 3, 7, 65536])
    func readsTables(_ test: Case, chunk: Int) {
        let reading = Reading(test.text, name: "t.csv", chunk: chunk)
        #expect(reading.error == nil)
        #expect(reading.records == test.records)
        if let lines = test.lines { #expect(reading.lines == lines) }
        #expect(reading.refusals == test.refusals)
        #expect(reading.notices == test.notices)
    }

    @Test func refusesBytesThatAreNotUTF8() {
        let reading = Reading(Array("a,b\n1,".utf8) + [0xE9] + Array("\n3,4\n".utf8))
        #expect(reading.refusals == ["line 2: the cell in column \"b\" is not UTF-8"])
        #expect(reading.records == [["a=3", "b=4"]])
        #expect(Reading([0xE9] + Array(",b\n1,2\n".utf8)).error == .notUTF8)
    }

    @Test func refusesARowWithNUL() {
        let padding = String(repeating: "1,2\n", count: 2000)
        let reading = Reading("a,b\n\(padding)x\0,2\n")
        #expect(reading.refusals == ["line 2002: a NUL byte"])
        #expect(reading.records.count == 2000)
    }

    @Test func stopsAtARowThatIsTooLarge() {
        let reading = Reading(
            Array("a,b\n1,2\n3,\"".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20), name: "t.csv")
        #expect(reading.records.count == 1)
        #expect(reading.error == .tooLarge)
    }

    /// Any cells, written with quotes where they are due, come back as they were.
    @Test func readsWhatWasWritten() {
        var random = SeededRandom()
        let alphabet = ["a", "b", ",", "\"", "\n", "\r", " ", "é", "🎸", ";"]
        for _ in 0..<300 {
            let columns = Int.random(in: 1...5, using: &random)
            var text = (0..<columns).map { "c\($0)" }.joined(separator: ",") + "\n"
            var expected: [[String]] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let cells = (0..<columns).map { _ in
                    (0..<Int.random(in: 1...6, using: &random)).map { _ in
                        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                    }.joined()
                }
                let written = cells.map { cell in
                    let needsQuotes = cell.utf8.contains { [0x2C, 0x22, 0x0A, 0x0D].contains($0) }
                    guard needsQuotes || Bool.random(using: &random) else { return cell }
                    var quoted = "\""
                    for scalar in cell.unicodeScalars {
                        quoted.unicodeScalars.append(contentsOf: scalar == "\"" ? ["\"", "\""] : [scalar])
                    }
                    return quoted + "\""
                }
                text += written.joined(separator: ",") + ["\n", "\r\n", "\r"][Int.random(in: 0..<3, using: &random)]
                expected.append(cells.enumerated().map { "c\($0.offset)=\($0.element)" })
            }
            let reading = Reading(text, name: "t.csv", chunk: Int.random(in: 1...9, using: &random))
            #expect(reading.records == expected, "\(random.note), text \(text.debugDescription)")
            #expect(reading.refusals.isEmpty, "\(random.note)")
        }
    }
}
