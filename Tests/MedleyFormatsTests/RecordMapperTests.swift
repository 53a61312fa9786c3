import JSONText
import MedleyCore
import MedleyFormats
import MedleyJSON
import Testing

@Suite struct RecordMapperTests {
    /// Maps the records of a text with options as the command line has them.
    static func map(
        _ text: String, type: String? = nil, section: String? = nil, map: String? = nil, id: String? = nil
    ) throws -> [MappedItem] {
        var (_, reader) = try MediaFile.open(ByteReader(Array(text.utf8)), name: "")
        var mapper = RecordMapper(
            RecordMapping(
                type: type.flatMap { ItemType($0) }, section: section.map { Array($0.utf8) },
                members: try map.map { try RecordMapping.members(option: $0) } ?? [],
                idFields: try id.map { try RecordMapping.fields(option: $0) } ?? []))
        var items: [MappedItem] = []
        while let entry = try reader.next() {
            if case .record(let record) = entry { items.append(mapper.item(of: record)) }
        }
        // What the mapper makes is what the server accepts.
        let bytes = ChangeEncoder.encoded([Change(.upsert(items.map(\.content), at: nil))])
        #expect(try ChangeDecoder().changes(bytes) == [Change(.upsert(items.map(\.content), at: nil))])
        return items
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var record: String
        var map: String?
        var type: String?
        var model: String
        var notices = 0
        var testDescription: String { "\(record) \(map ?? "")" }

        init(_ record: String, map: String? = nil, type: String? = nil, _ model: String, notices: Int = 0) {
            (self.record, self.map, self.type, self.model, self.notices) = (record, map, type, model, notices)
        }
    }

    @Test(arguments: [
        // Unknown members stay byte for byte.
        Case(
            #"{"n":9007199254740993,"x":1.10,"y":1e400,"z":null,"é":"\u00e9"}"#,
            #""n":9007199254740993,"x":1.10,"y":1e400,"z":null,"é":"\u00e9""#),
        // Texts.
        Case(#"{"title":300}"#, #""title":"300""#), Case(#"{"title":null,"a":1}"#, #""a":1"#),
        Case(#"{"title":true}"#, #""title":"true""#), Case(#"{"title":"a\/b"}"#, #""title":"a\/b""#),
        Case(#"{"title":["x"]}"#, #""titleText":["x"]"#, notices: 1),
        Case(#"{"Title":300}"#, map: "title=Title", #""title":"300""#),
        Case(#"{"Title":null,"a":1}"#, map: "title=Title", #""a":1"#),
        Case(#"{"Title":{"x":1}}"#, map: "title=Title", #""Title":{"x":1}"#, notices: 1),
        Case(#"{"A":null,"B":"b"}"#, map: "title=A,title=B", #""title":"b""#),
        Case(#"{"A":"a","B":"b"}"#, map: "title=A,title=B", #""title":"a","B":"b""#),
        Case(#"{"A":"a"}"#, map: "title=A,artist=A", #""title":"a","artist":"a""#),
        Case(#"{"Year":null}"#, map: "year=Year", #""year":null"#),
        Case(#"{"title":"own","Song":"s"}"#, map: "title=Song", #""title-2":"own","title":"s""#, notices: 1),
        Case(
            #"{"title":"own","title-2":1,"Song":"s"}"#, map: "title=Song",
            #""title-3":"own","title-2":1,"title":"s""#, notices: 1),
        Case(#"{"title":["x"],"titleText":1}"#, #""titleText-2":["x"],"titleText":1"#, notices: 1),
        // URLs and dates.
        Case(#"{"url":"https://example.com/a"}"#, #""url":"https://example.com/a""#),
        Case(#"{"url":" https://example.com/a "}"#, #""url":"https://example.com/a""#),
        Case(#"{"url":"n/a"}"#, #""urlText":"n/a""#, notices: 1),
        Case(#"{"Link":"n/a"}"#, map: "url=Link", #""Link":"n/a""#, notices: 1),
        Case(#"{"publishedAt":"1998-06-12T00:00:00Z"}"#, #""publishedAt":"1998-06-12T00:00:00Z""#),
        // Dates in other ways, as feeds write them.
        Case(#"{"publishedAt":"2018-02-01"}"#, #""publishedAt":"2018-02-01T00:00:00Z""#),
        Case(
            #"{"publishedAt":" Thu, 01 Feb 2018 11:00:00 +0100 "}"#, #""publishedAt":"2018-02-01T11:00:00+01:00""#),
        Case(
            #"{"Release Date":"Jun 12 1998"}"#, map: "publishedAt=Release Date",
            #""publishedAt":"1998-06-12T00:00:00Z""#),
        Case(
            #"{"Release Date":"summer 1998"}"#, map: "publishedAt=Release Date",
            #""Release Date":"summer 1998""#, notices: 1),
        Case(#"{"publishedAt":"2018-02-30"}"#, #""publishedAtText":"2018-02-30""#, notices: 1),
        Case(#"{"publishedAt":"1998"}"#, #""publishedAtText":"1998""#, notices: 1),
        Case(#"{"publishedAt":1998}"#, #""publishedAtText":1998"#, notices: 1),
        // Durations.
        Case(#"{"duration":225.50}"#, #""duration":225.50"#), Case(#"{"duration":"225"}"#, #""duration":225"#),
        Case(#"{"duration":"3:45"}"#, #""duration":225"#), Case(#"{"duration":"1:02:03.5"}"#, #""duration":3723.5"#),
        Case(#"{"duration":"007"}"#, #""duration":7"#), Case(#"{"duration":-1}"#, #""durationText":-1"#, notices: 1),
        Case(#"{"duration":"3:05"}"#, #""duration":185"#), Case(#"{"duration":"PT3M"}"#, #""duration":180"#),
        // What programs write that do not carry.
        Case(#"{"duration":"00:90:00"}"#, #""duration":5400"#), Case(#"{"duration":"3:75"}"#, #""duration":255"#),
        Case(#"{"duration":"P1Y"}"#, #""durationText":"P1Y""#, notices: 1),
        Case(#"{"duration":"-3"}"#, #""durationText":"-3""#, notices: 1),
        Case(#"{"duration":"1:2:3:4"}"#, #""durationText":"1:2:3:4""#, notices: 1),
        Case(#"{"duration":"3:"}"#, #""durationText":"3:""#, notices: 1),
        Case(#"{"duration":""}"#, #""durationText":"""#, notices: 1),
        Case(#"{"duration":null,"a":1}"#, #""a":1"#),
        // Reserved members.
        Case(#"{"id":"x","type":"music","liked":true,"a":1}"#, #""a":1"#),
        Case(#"{"id":17,"liked":"no","a":1}"#, #""a":1"#),
        Case(#"{"id":"a\nb"}"#, #""idText":"a\nb""#, notices: 1),
        Case(#"{"type":"Big Film"}"#, #""typeText":"Big Film""#, notices: 1),
        Case(#"{"type":"music"}"#, type: "video", #""typeText":"music""#, notices: 1),
        Case(#"{"type":"video","a":1}"#, type: "video", #""a":1"#),
        Case(#"{"Kind":"music","a":1}"#, map: "type=Kind", #""a":1"#),
        Case(#"{"liked":"perhaps"}"#, #""likedText":"perhaps""#, notices: 1),
        Case(#"{"liked":null,"type":null,"id":null,"a":1}"#, #""a":1"#),
    ])
    func placesEveryField(_ test: Case) throws {
        let items = try Self.map("[\(test.record)]", type: test.type, map: test.map)
        #expect(items.map { $0.content.model.text } == [test.model])
        #expect(items.first?.notices.count == test.notices, "\(items.first?.notices ?? [])")
    }

    @Test func readsDatesAndDurationsFromATable() throws {
        let items = try Self.map("publishedAt,duration\n2018-02-01,PT3M\n1 Feb 18 11:00 EST,00:90:00\n")
        #expect(
            items.map { $0.content.model.text } == [
                #""publishedAt":"2018-02-01T00:00:00Z","duration":180"#,
                #""publishedAt":"2018-02-01T11:00:00-05:00","duration":5400"#,
            ])
        #expect(items.allSatisfy { $0.notices.isEmpty })
    }

    @Test(arguments: [
        ("true", true), ("1", true), ("Yes", true), ("false", false), ("0", false), ("NO", false), ("", nil),
    ])
    func readsLikedFromATable(_ text: String, liked: Bool?) throws {
        #expect(try Self.map("liked,a\n\(text),1\n").map(\.content.liked) == [liked])
    }

    @Test func takesTheType() throws {
        #expect(RecordMapping.defaultType?.name == "item")
        let text = #"[{"type":"music"},{"type":"No type"},{}]"#
        #expect(try Self.map(text).map { $0.content.type?.name } == ["music", nil, nil])
        #expect(try Self.map(text, type: "video").map { $0.content.type?.name } == ["video", "video", "video"])
        #expect(try Self.map("Kind\nshortVideo\n", map: "type=Kind").first?.content.type?.name == "shortVideo")
    }

    @Test func groupsBySection() throws {
        let long = String(repeating: "ä", count: 200)
        let items = try Self.map(
            #"[{"g":"Drama"},{"g":" Drama "},{"g":null},{},{"g":""},{"g":1970},{"g":true},{"g":["a"]},{"g":"a\nb"},"#
                + #"{"g":"\#(long)"}]"#, section: "g")
        let sections = items.compactMap(\.section)
        #expect(
            sections.prefix(8).map(\.id) == ["Drama", "Drama", "other", "other", "other", "1970", "true", #"["a"]"#])
        #expect(sections[5].members.text == #""title":"1970""#)
        #expect(sections[2].members.text == #""title":"Other""#)
        #expect(sections[8].members.text == #""title":"a\nb""#)
        #expect(sections[8].id.description.hasPrefix("section-") && sections[9].id.utf8.count == 40)
        #expect(sections[8].id != sections[9].id)
        #expect(items[0].content.model.text == #""g":"Drama""#)
    }

    @Test(arguments: [
        (#"{"a":"The Land Girls","b":"Jun 12 1998"}"#, "The Land Girls|Jun 12 1998"), (#"{"a":300,"b":null}"#, "300|"),
        (#"{"b":true}"#, "|true"), (#"{"a":"x|y","b":"z\\"}"#, #"x\|y|z\\"#), (#"{"a":"x","b":"y|z"}"#, #"x|y\|z"#),
        (#"{"a":"é","b":"e\u0301"}"#, "é|e\u{301}"),
    ])
    func joinsIDs(_ record: String, id: String) throws {
        #expect(try Self.map("[\(record)]", id: "a,b").map(\.content.id) == [ItemID(id)])
    }

    @Test func hashesIDsThatDoNotFit() throws {
        let long = String(repeating: "x", count: 257)
        let ids = try Self.map(#"[{"a":"\#(long)"},{"a":"\#(long)y"},{"a":"a\tb"},{"a":"a|b"}]"#, id: "a")
            .map(\.content.id)
        #expect(ids.prefix(3).allSatisfy { $0.utf8.count == 32 })
        #expect(Set(ids).count == 4)
        #expect(ids[3] == "a|b")
    }

    @Test func tellsEqualIDsApartByTheirCount() throws {
        let items = try Self.map("id,a\nx,1\nx,2\nx~2,3\nx,4\n")
        #expect(items.map(\.content.id) == ["x", "x~2", "x~2~2", "x~3"])
        #expect(items.map(\.notices.count) == [0, 1, 1, 1])
        let long = String(repeating: "y", count: 256)
        let ids = try Self.map("id,a\n\(long),1\n\(long),2\n").map(\.content.id)
        #expect(ids[0] == ItemID(long) && ids[1].utf8.count == 34)
    }

    @Test func derivesIDsFromTheContent() throws {
        let items = try Self.map("a,b\n1,2\n1,2\n2,1\n1,\n,1\n12,\n1,2\n")
        let ids = items.map(\.content.id)
        #expect(ids[0].utf8.count == 32)
        #expect(ids[1] == ItemID(ids[0].description + "~2") && ids[6] == ItemID(ids[0].description + "~3"))
        #expect(Set(ids).count == 7)
        #expect(items.allSatisfy { $0.notices.isEmpty })
        #expect(try Self.map("a,b\n1,2\n1,2\n2,1\n1,\n,1\n12,\n1,2\n").map(\.content.id) == ids)
        // Neither the order of columns nor how they are mapped makes another id.
        #expect(try Self.map("b,a\n2,1\n", type: "music", map: "title=a").first?.content.id == ids[0])
        // A number and its text are different content.
        #expect(try Set(Self.map(#"[{"a":1},{"a":"1"},{"a":null},{}]"#).map(\.content.id)).count == 4)
    }

    /// What is corrected about an item is not what tells it from others.
    @Test(arguments: [
        (#"{"guid":"g","url":"https://e.example/a","title":"A"}"#, "g"),
        (#"{"url":" https://e.example/a ","path":"a.mp3","title":"A"}"#, "https://e.example/a"),
        (#"{"path":"b","location":"a","title":"A"}"#, "a"), (#"{"path":"a b.mp3","title":"A"}"#, "a b.mp3"),
        (#"{"title":"A","persistentID":17,"artist":"B"}"#, "17"), (#"{"title":" A|b","artist":"B"}"#, #"B|A\|b"#),
        (#"{"guid":"","url":null,"path":["x"],"title":"A","artist":"b"}"#, "b|A"),
        // No address at all.
        (#"{"url":"n/a","title":"A","artist":"B"}"#, "B|A"),
        // Too little.
        (#"{"title":"A"}"#, nil), (#"{"title":"A","artist":" "}"#, nil), (#"{"Guid":"g","Title":"A"}"#, nil),
    ])
    func derivesIDsFromWhatTellsItemsApart(_ record: String, id: String?) throws {
        let ids = try Self.map("[\(record)]").map(\.content.id)
        if let id { #expect(ids == [ItemID(id)]) } else { #expect(ids.first?.utf8.count == 32) }
        let corrected = record.replacing("}", with: ",\"note\":\"new\"}")
        #expect(try (Self.map("[\(corrected)]").map(\.content.id) == ids) == (id != nil))
    }

    @Test func derivesIDsFromMappedFieldsAndLeavesTheFileItsOwn() throws {
        let table = "Song,Band\nNaima,John Coltrane\nNaima,John Coltrane\nnaima,John Coltrane\n"
        let mapped = try Self.map(table, map: "title=Song,artist=Band")
        #expect(mapped.map(\.content.id) == ["John Coltrane|Naima", "John Coltrane|Naima~2", "John Coltrane|naima"])
        #expect(mapped.map(\.notices.count) == [0, 1, 0])
        #expect(try Self.map(table).allSatisfy { $0.content.id.utf8.count >= 32 && $0.notices.isEmpty })
        let stated = try Self.map(table, map: "title=Song,artist=Band", id: "Song,Band")
        #expect(stated.first?.content.id == "Naima|John Coltrane")
        #expect(try Self.map("id,url\nx,https://e.example/a\n").map(\.content.id) == ["x"])
    }

    /// The id stays what it is from one release to the next, or an import would double what is there.
    @Test func derivesTheSameIDForever() throws {
        #expect(try Self.map("a,b\n1,2\n").first?.content.id == "15e4ec553f8179c861c04869a1dd966d")
    }

    @Test func keepsTheIDColumnBesideOtherIDs() throws {
        let items = try Self.map("id,a\nx,1\n", id: "a")
        #expect(items.map(\.content.id) == ["1"])
        #expect(items.map { $0.content.model.text } == [#""idText":"x","a":"1""#])
        #expect(try Self.map("id,a\nx,1\n", id: "id").map { $0.content.model.text } == [#""a":"1""#])
        let without = try Self.map("k,a\n,1\n", id: "k")
        #expect(without.first?.content.id.utf8.count == 32 && without.first?.notices.count == 1)
    }

    @Test func readsOptions() throws {
        #expect(
            try RecordMapping.fields(option: "Title,Release Date") == ["Title", "Release Date"].map { Array($0.utf8) })
        #expect(
            try RecordMapping.fields(option: "\"Last, First\",x").map { String(decoding: $0, as: UTF8.self) } == [
                "Last, First", "x",
            ])
        let members = try RecordMapping.members(option: "title=Song Clean,artist=ARTIST CLEAN,\"note=a,b=c\"")
        #expect(members.map { String(decoding: $0.target, as: UTF8.self) } == ["title", "artist", "note"])
        #expect(members.map { String(decoding: $0.source, as: UTF8.self) } == ["Song Clean", "ARTIST CLEAN", "a,b=c"])
    }

    @Test(arguments: ["", ",", "title", "=x", "title=", "id=x", "a=b\nc=d", "\"a=b"])
    func refusesOptions(_ text: String) {
        #expect(throws: FormatError.self) { try RecordMapping.members(option: text) }
    }

    @Test func noticesFieldsThatAreNotThere() throws {
        let mapping = RecordMapping(section: Array("g".utf8), idFields: [Array("k".utf8)])
        #expect(throws: FormatError(.unknownField, "no column \"k\"; the columns are \"a\", \"g\"")) {
            try mapping.check(columns: [Array("a".utf8), Array("g".utf8)])
        }
        try mapping.check(columns: [Array("k".utf8), Array("g".utf8)])
        var mapper = RecordMapper(mapping)
        let field = ImportedRecord.Field(name: Array("g".utf8), nameText: Array("\"g\"".utf8), value: .text([0x31]))
        _ = mapper.item(of: ImportedRecord(line: 1, fields: [field]))
        #expect(mapper.fieldsNotSeen == [Array("k".utf8)])
    }
}
