import JSONText
import Testing

@Suite struct JSONScannerReadingTests {
    private func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

    @Test func readsEveryKind() throws {
        var scanner = JSONScanner(
            Array(
                ##" { "s" : "a\u00e9\ud83d\ude00\n" , "n":-1.50e+3,"t":true, "f":false,"z":null,"a":[ 1 , 2 ],"o":{ } } "##
                    .utf8))
        #expect(try scanner.peek() == .object)
        try scanner.beginObject()
        #expect(scanner.depth == 1)
        #expect(try scanner.nextMember()?.string == "s")
        let string = try scanner.string()
        #expect(string.string == "aé😀\n")
        #expect(text(string.text) == #""a\u00e9\ud83d\ude00\n""#)
        #expect(try scanner.nextMember()?.equals("n") == true)
        #expect(try scanner.peek() == .number)
        #expect(text(try scanner.number()) == "-1.50e+3")
        #expect(try scanner.nextMember()?.equals("t") == true)
        #expect(try scanner.bool())
        #expect(try scanner.nextMember()?.equals("f") == true)
        #expect(try !scanner.bool())
        #expect(try scanner.nextMember()?.equals("z") == true)
        #expect(try scanner.peek() == .null)
        try scanner.null()
        #expect(try scanner.nextMember()?.equals("a") == true)
        try scanner.beginArray()
        var elements: [String] = []
        while try scanner.nextElement() { elements.append(text(try scanner.number())) }
        #expect(elements == ["1", "2"])
        #expect(try scanner.nextMember()?.equals("o") == true)
        #expect(try scanner.members().isEmpty)
        #expect(try scanner.nextMember() == nil)
        #expect(scanner.depth == 0)
        try scanner.finish()
    }

    @Test func keepsTextButForSpace() throws {
        let spaced =
            " { \"a b\" : [ 1.10 , 1e400,\n9007199254740993 ] ,\t\"\\u0063 \\\" d\":{ \"x\" : \" \\\\\" , \"y\":\"  é \" } } "
        let compact = "{\"a b\":[1.10,1e400,9007199254740993],\"\\u0063 \\\" d\":{\"x\":\" \\\\\",\"y\":\"  é \"}}"
        for source in [spaced, compact] {
            var scanner = JSONScanner(Array(source.utf8))
            var copy = Array("<".utf8)
            try scanner.copyValue(to: &copy)
            try scanner.finish()
            #expect(text(copy) == "<" + compact)
            var members = JSONScanner(Array(source.utf8))
            #expect(text(try members.members().bytes) == compact.dropFirst().dropLast())
        }
    }

    /// A text, and the members behind the first as they are to come.
    static let rests = [
        (#"{"a":1}"#, ""), (#"{"a":1 , }"#, nil), (#"{"a":1,"b":2}"#, #""b":2"#), (#"{"a":1 ,"b":2 }"#, #""b":2"#),
        (#"{"a":1, "b":[1,{"c":null}],"d":"x\u00e9"}"#, #""b":[1,{"c":null}],"d":"x\u00e9""#),
        (#"{"a":1,"b" :2}"#, #""b":2"#), (#"{"a":1,"b": 2}"#, #""b":2"#),
        (#"{"a":1,"b":[ 2,"x y"]}"#, #""b":[2,"x y"]"#),
        (#"{"a":1,"b":2, "c":3}"#, #""b":2,"c":3"#), (#"{"a":1,"a":2}"#, nil), (#"{"a":1,"b":2"#, nil),
        (#"{"a":1,"b":2,"\u0062":3}"#, nil),
    ]

    @Test("The members that are left are those behind what was read", arguments: rests)
    func readsTheRest(source: String, expected: String?) throws {
        var scanner = JSONScanner(Array(source.utf8))
        try scanner.beginObject()
        _ = try scanner.nextMember()
        _ = try scanner.number()
        guard let expected else {
            #expect(throws: JSONSyntaxError.self) { try scanner.remainingMembers() }
            return
        }
        #expect(try text(scanner.remainingMembers()) == expected)
        #expect(scanner.depth == 0)
        try scanner.finish()
    }

    @Test func namesTheKindThatItFound() {
        var scanner = JSONScanner(Array(" 12".utf8))
        #expect(throws: JSONSyntaxError(.wrongKind, at: 1, message: "string expected, number found")) {
            try scanner.string()
        }
        #expect(throws: JSONSyntaxError(.wrongKind, at: 1, message: "object expected, number found")) {
            try scanner.beginObject()
        }
        #expect(throws: JSONSyntaxError(.unexpectedByte, at: 0, message: "\"N\" cannot stand here")) {
            try JSONScanner.validate(Array("NaN".utf8))
        }
    }

    @Test func aValueThatWasNotReadIsNoMember() throws {
        var scanner = JSONScanner(Array(#"{"a":1}"#.utf8))
        try scanner.beginObject()
        _ = try scanner.nextMember()
        #expect(throws: (any Error).self) { try scanner.nextMember() }
    }

    @Test func theLimitOfDepthMayChange() throws {
        var scanner = JSONScanner(Array("[[[1]],[[1]]]".utf8), maximumDepth: 3)
        try scanner.beginArray()
        _ = try scanner.nextElement()
        try scanner.skipValue()
        scanner.maximumDepth = 2
        _ = try scanner.nextElement()
        #expect(throws: JSONSyntaxError(.tooDeep, at: 8, message: "objects and arrays are nested too deeply")) {
            try scanner.skipValue()
        }
    }

    /// Every scalar and all short strings go out through the writer and come back the same.
    @Test func stringsComeBackAsTheyWent() throws {
        var scalars = ""
        for value in [0..<0x800, 0xD7F0..<0xD800, 0xE000..<0xE010, 0xFFF0..<0x10010, 0x10FFF0..<0x110000] {
            for scalar in value {
                if let scalar = UnicodeScalar(UInt32(scalar)) { scalars.unicodeScalars.append(scalar) }
            }
        }
        for length in 0..<40 {
            var bytes = Array(
                scalars.unicodeScalars.dropFirst(length * 3).prefix(length).flatMap { Array(String($0).utf8) })
            bytes += Array(scalars.utf8.suffix(from: scalars.utf8.startIndex).prefix(length * 7 % 128))
            var written: [UInt8] = []
            JSONWriter.append(string: bytes, to: &written)
            var scanner = JSONScanner(written)
            #expect(Array(try scanner.string().utf8) == bytes)
            try scanner.finish()
        }
        var all: [UInt8] = []
        JSONWriter.append(string: scalars, to: &all)
        var scanner = JSONScanner(all)
        #expect(try scanner.string().string == scalars)
    }

    @Test func writesOnlyTheEscapesThatJSONDemands() {
        var output: [UInt8] = []
        JSONWriter.append(string: "\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}é\u{2028}", to: &output)
        #expect(text(output) == "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}é\u{2028}\"")
        output = []
        JSONWriter.append(string: Array("x\"yz".utf8)[1...2], to: &output)
        #expect(text(output) == "\"\\\"y\"")
    }

    @Test(arguments: [0, 7, -7, 10, 1_234_567_890, Int.max, Int.min])
    func writesIntegers(_ value: Int) {
        var output = Array("<".utf8)
        JSONWriter.append(integer: value, to: &output)
        #expect(text(output) == "<\(value)")
    }
}
