import MedleyFormats
import Testing

@Suite struct JSPFReaderTests {
    /// The records of tracks in a playlist of the title `P`.
    private func read(_ tracks: String, chunk: Int = 1 << 16) -> Reading {
        Reading("{\"playlist\":{\"title\":\"P\",\n\"track\":[\(tracks)]}}", name: "x.json", chunk: chunk)
    }

    @Test(arguments: [1, 7, 65536])
    func readsAPlaylist(chunk: Int) {
        let reading = Reading(
            """
            {"playlist":{"title":"P","creator":"me","annotation":"d","date":null,"track":[
             {"location":["https://example.com/a.mp3"],"title":"T","creator":"C","album":"A","annotation":"D",
              "image":"https://example.com/i.png","duration":225500,"trackNum":3,"info":"https://example.com"},
             7,
             {"title":"U","location":["../b.mp3","https://example.com/b"],"meta":[{"x":"y"}]}],
             "extension":{"urn:x-medley":[{"members":{"mood":"calm"}}]}}}
            """, name: "x.jspf", chunk: chunk)
        #expect(reading.error == nil)
        #expect(
            reading.records == [
                [
                    #"url=https://example.com/a.mp3"#, #"title="T""#, #"creator="C""#, #"album="A""#,
                    #"description="D""#, #"artworkURL="https://example.com/i.png""#, "duration=225.5", "trackNumber=3",
                    #"link="https://example.com""#,
                ],
                [
                    #"title="U""#, "path=../b.mp3", #"location=["../b.mp3","https://example.com/b"]"#,
                    #"meta=[{"x":"y"}]"#,
                ],
            ])
        #expect(reading.lines == [2, 5])
        #expect(reading.refusals == ["line 4: not a JSON object"])
        #expect(reading.sections == [#""title":"P","creator":"me","description":"d","mood":"calm""#])
        #expect(reading.recordSections == [#"P "title":"P""#, #"P "title":"P""#])
        #expect(reading.identities == ["https://example.com/a.mp3", "../b.mp3"])
    }

    @Test(arguments: [
        ("0", "duration=0"), ("1", "duration=0.001"), ("1000", "duration=1"), ("1010", "duration=1.01"),
        ("-5", "durationText=-5"), ("1.5", "durationText=1.5"), ("\"3:45\"", "durationText=\"3:45\""),
        ("999999999999999999999", "durationText=999999999999999999999"),
    ])
    func readsMilliseconds(_ text: String, field: String) {
        #expect(read("{\"duration\":\(text)}").records == [[field]])
    }

    @Test(arguments: [
        (#"{"location":"a.mp3"}"#, ["path=a.mp3"]), (#"{"location":[],"title":1}"#, ["title=1"]),
        (#"{"location":[{"x":1}]}"#, [#"location=[{"x":1}]"#]), (#"{"location":{"x":1}}"#, [#"location={"x":1}"#]),
        (#"{"extension":7}"#, ["extension=7"]),
        (#"{"extension":{"urn:x-medley":[1],"b":[2]}}"#, [#"extension={"urn:x-medley":[1],"b":[2]}"#]),
        (
            #"{"creator":"A","title":"T","extension":{"b":[2],"urn:x-medley":[{"id":"v","members":{"artist":"A","title":"T"}}]}}"#,
            [#"id="v""#, #"extension={"b":[2]}"#, #"artist="A""#, #"title="T""#]
        ),
        (#"{"link":[{"x":"y"}],"identifier":["i","j"]}"#, [#"links=[{"x":"y"}]"#, #"identifier=["i","j"]"#]),
        (#"{"a":null,"identifier":["urn:x:1"]}"#, ["a=null", "identifier=urn:x:1"]),
    ])
    func readsTracks(_ track: String, fields: [String]) {
        #expect(read(track).records == [fields])
    }

    @Test func takesTheIdentityFromLocationIdentifierOrNames() {
        let reading = read(
            #"{"location":["a"],"identifier":["i"]},{"identifier":["i"],"title":"T"},{"creator":"C","title":"T"},{}"#)
        #expect(reading.identities == ["a", "i", "C|T"])
        #expect(reading.refusals == ["line 2: a track of which nothing is said"])
    }

    @Test(arguments: [
        #"{"playlist":{"title":"x"}}"#, #"{"playlist":{"track":{}}}"#, #"{"playlist":{"track":[]}"#,
        #"{"playlist":{"track":[{"a":1,"a":2}]}}"#, #"{"playlist":{"track":[}}"#,
    ])
    func refusesOtherForms(_ text: String) {
        #expect(Reading(text).error == .malformed)
    }

    @Test func refusesATrackThatNestsTooDeepAndReadsOn() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let reading = read(#"{"a":\#(nested(55))},{"a":\#(nested(56))},{"location":\#(nested(300)),"a":1},{"a":1}"#)
        #expect(reading.records == [["a=\(nested(55))"], ["a=1"]])
        #expect(reading.refusals.count == 2 && reading.error == nil)
        #expect(read(#"{"a":\#(nested(600))}"#).error == .malformed)
    }

    @Test func leavesOutMembersThatACollectionCannotHave() {
        let deep = String(repeating: "[", count: 56) + String(repeating: "]", count: 56)
        let reading = Reading(
            #"{"playlist":{"title":7,"id":"x","sections":[],"deep":\#(deep),"a":null,"mood":"calm","track":[{"title":"t"}]}}"#
        )
        #expect(reading.sections == [#""mood":"calm""#])
        #expect(reading.recordSections == [""])
    }

    @Test func readsAnEmptyPlaylist() {
        #expect(Reading(#"{"playlist":{"track":[]}}"#) == Reading("a,b\n"))
    }
}
