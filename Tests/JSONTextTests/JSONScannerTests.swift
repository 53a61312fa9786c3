import JSONText
import Testing

/// A text and why it is refused.
struct Refusal: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let code: JSONSyntaxError.Code
    let offset: Int

    init(_ text: String, _ code: JSONSyntaxError.Code, _ offset: Int) {
        self.init(bytes: Array(text.utf8), code, offset)
    }

    init(bytes: [UInt8], _ code: JSONSyntaxError.Code, _ offset: Int) {
        self.bytes = bytes
        self.code = code
        self.offset = offset
    }

    var testDescription: String { "\(String(decoding: bytes, as: UTF8.self)) → \(code) at \(offset)" }
}

/// A string's bytes in quotes.
private func quoted(_ bytes: UInt8...) -> [UInt8] { [0x22] + bytes + [0x22] }

@Suite struct JSONScannerTests {
    static let refusals: [Refusal] = [
        Refusal("", .unexpectedEnd, 0),
        Refusal("  \n", .unexpectedEnd, 3),
        Refusal("\u{FEFF}{}", .byteOrderMark, 0),
        Refusal(bytes: [0xEF, 0xBB], .unexpectedByte, 0),
        Refusal("NaN", .unexpectedByte, 0),
        Refusal("[NaN]", .unexpectedByte, 1),
        Refusal("[Infinity]", .unexpectedByte, 1),
        Refusal("[-Infinity]", .invalidNumber, 2),
        Refusal("nan", .unexpectedByte, 1),
        Refusal("nul", .unexpectedEnd, 3),
        Refusal("nulL", .unexpectedByte, 3),
        Refusal("tru]", .unexpectedByte, 3),
        Refusal("falze", .unexpectedByte, 3),
        Refusal("True", .unexpectedByte, 0),
        Refusal("nullx", .trailingBytes, 4),
        Refusal("{} {}", .trailingBytes, 3),
        Refusal("1,", .trailingBytes, 1),
        Refusal("[]\u{0}", .trailingBytes, 2),
        Refusal("[1]]", .trailingBytes, 3),
        Refusal("// c\n1", .unexpectedByte, 0),
        Refusal("[1/**/]", .unexpectedByte, 2),
        Refusal("\u{0B}1", .unexpectedByte, 0),
        Refusal("\u{0C}1", .unexpectedByte, 0),
        Refusal("\u{A0}1", .unexpectedByte, 0),
        // Arrays and objects.
        Refusal("[", .unexpectedEnd, 1),
        Refusal("[1", .unexpectedEnd, 2),
        Refusal("[1,", .unexpectedEnd, 3),
        Refusal("[1,]", .unexpectedByte, 3),
        Refusal("[,1]", .unexpectedByte, 1),
        Refusal("[1,,2]", .unexpectedByte, 3),
        Refusal("[1 2]", .unexpectedByte, 3),
        Refusal("[1}", .unexpectedByte, 2),
        Refusal("[:1]", .unexpectedByte, 1),
        Refusal("]", .unexpectedByte, 0),
        Refusal("{", .unexpectedEnd, 1),
        Refusal("{]", .unexpectedByte, 1),
        Refusal("{,}", .unexpectedByte, 1),
        Refusal("{\"a\"", .unexpectedEnd, 4),
        Refusal("{\"a\"}", .unexpectedByte, 4),
        Refusal("{\"a\":", .unexpectedEnd, 5),
        Refusal("{\"a\":}", .unexpectedByte, 5),
        Refusal("{\"a\" 1}", .unexpectedByte, 5),
        Refusal("{\"a\"::1}", .unexpectedByte, 5),
        Refusal("{\"a\":1,}", .unexpectedByte, 7),
        Refusal("{\"a\":1 \"b\":2}", .unexpectedByte, 7),
        Refusal("{a:1}", .unexpectedByte, 1),
        Refusal("{'a':1}", .unexpectedByte, 1),
        Refusal("{1:1}", .unexpectedByte, 1),
        Refusal("{\"a\":1]", .unexpectedByte, 6),
        // Names that stand twice.
        Refusal(#"{"a":1,"a":1}"#, .duplicateName, 7),
        Refusal(#"{"":1,"":1}"#, .duplicateName, 6),
        Refusal(#"{"id":1,"\u0069d":2}"#, .duplicateName, 8),
        Refusal(#"{"\u0069d":1,"id":2}"#, .duplicateName, 13),
        Refusal(#"{"\u00e9":1,"é":2}"#, .duplicateName, 12),
        Refusal(#"{"\ud83d\ude00":1,"😀":2}"#, .duplicateName, 18),
        Refusal(#"{"\/":1,"/":2}"#, .duplicateName, 8),
        Refusal(#"{"abcdefghij":1,"b":{"a":1},"abcdefghij":2}"#, .duplicateName, 28),
        Refusal(#"[{"a":{"b":[{"c":1,"c":2}]}}]"#, .duplicateName, 19),
        // Numbers.
        Refusal("01", .invalidNumber, 1),
        Refusal("-01", .invalidNumber, 2),
        Refusal("00", .invalidNumber, 1),
        Refusal("+1", .unexpectedByte, 0),
        Refusal("-", .unexpectedEnd, 1),
        Refusal("-a", .invalidNumber, 1),
        Refusal("--1", .invalidNumber, 1),
        Refusal(".5", .unexpectedByte, 0),
        Refusal("1.", .unexpectedEnd, 2),
        Refusal("1.e1", .invalidNumber, 2),
        Refusal("1e", .unexpectedEnd, 2),
        Refusal("1e+", .unexpectedEnd, 3),
        Refusal("1e+x", .invalidNumber, 3),
        Refusal("1.5.5", .trailingBytes, 3),
        Refusal("0x1F", .trailingBytes, 1),
        Refusal("1_000", .trailingBytes, 1),
        Refusal("[1e1.5]", .unexpectedByte, 4),
        Refusal("１", .unexpectedByte, 0),
        // Strings.
        Refusal("\"", .unexpectedEnd, 1),
        Refusal("\"abc", .unexpectedEnd, 4),
        Refusal("\"abcdefghijklmnop", .unexpectedEnd, 17),
        Refusal("\"a\nb\"", .controlCharacter, 2),
        Refusal("\"abcdefghij\u{0}\"", .controlCharacter, 11),
        Refusal("\"\u{1F}\"", .controlCharacter, 1),
        Refusal("'a'", .unexpectedByte, 0),
        Refusal(#""\"#, .unexpectedEnd, 2),
        Refusal(#""a\"#, .unexpectedEnd, 3),
        Refusal(#""a\"b"#, .unexpectedEnd, 5),
        Refusal(#""a\x41""#, .invalidEscape, 2),
        Refusal(#""\'""#, .invalidEscape, 1),
        Refusal(#""\U0041""#, .invalidEscape, 1),
        Refusal(#""\u00g0""#, .invalidEscape, 1),
        Refusal(#""\u12""#, .invalidEscape, 1),
        Refusal(#""\u12"#, .unexpectedEnd, 5),
        Refusal(#""ab\ud800""#, .loneSurrogate, 3),
        Refusal(#""\ud800\ud800""#, .loneSurrogate, 1),
        Refusal(#""\ud800\u0041""#, .loneSurrogate, 1),
        Refusal(#""\ud800\n""#, .loneSurrogate, 1),
        Refusal(#""\udc00""#, .loneSurrogate, 1),
        Refusal(#""\udc00\ud800""#, .loneSurrogate, 1),
        Refusal(#""\ud83d\ude00\udbff""#, .loneSurrogate, 13),
        // Bytes that are no UTF-8.
        Refusal(bytes: quoted(0x80), .invalidUTF8, 1),
        Refusal(bytes: quoted(0x61, 0xC3, 0xA9, 0xBF), .invalidUTF8, 4),
        Refusal(bytes: quoted(0xC0, 0x80), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xC1, 0xBF), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xE0, 0x9F, 0xBF), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xED, 0xA0, 0x80), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xED, 0xBF, 0xBF), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xF0, 0x8F, 0xBF, 0xBF), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xF4, 0x90, 0x80, 0x80), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xF5, 0x80, 0x80, 0x80), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xFE), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xFF), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xC3), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xE2, 0x82), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xE2, 0x82, 0x41), .invalidUTF8, 1),
        Refusal(bytes: quoted(0xF0, 0x9F, 0x98), .invalidUTF8, 1),
        Refusal(bytes: [0x22, 0xE2, 0x82], .invalidUTF8, 1),
        Refusal(bytes: [0x22, 0x61, 0xC3], .invalidUTF8, 2),
        Refusal(bytes: Array("{\"a".utf8) + [0xFF] + Array("\":1}".utf8), .invalidUTF8, 3),
    ]

    @Test(arguments: refusals)
    func refuses(_ refusal: Refusal) {
        #expect {
            try JSONScanner.validate(refusal.bytes)
        } throws: { error in
            guard let error = error as? JSONSyntaxError else { return false }
            return error.code == refusal.code && error.offset == refusal.offset && !error.message.isEmpty
        }
    }

    static let accepted: [String] = [
        "{}", "[]", " [ ] ", "\t\r\n{ }\n", "null", "true", "false", "\"\"", "\"a\"", "0", "-0", "-0.0", "1e400",
        "1E+2",
        "1.10", "9007199254740993", "-1.5e-7", "123456789012345678901234567890", "[0,1]", "[[],[[]],{}]",
        #"{"a":1,"b":{"a":1,"b":[{"a":2},{"a":3}]},"c":{"a":1}}"#, #"{"":0," ":1,"\u0000":2}"#,
        #""\"\\\/\b\f\n\r\t\u0000\u00e9\uD83D\uDE00""#, "\"\u{7F}\"", "\"\u{80}é€😀\u{10FFFF}\u{FFFF}\"",
        "{\"e\u{301}\":1,\"\u{E9}\":2}", "\"\u{FEFF}\"", #"{"a":1,"A":2}"#,
    ]

    @Test(arguments: accepted)
    func accepts(_ text: String) throws {
        try JSONScanner.validate(Array(text.utf8))
    }

    @Test(arguments: [1, 5, 64])
    func nestsAsDeepAsAllowed(_ depth: Int) throws {
        let arrays =
            [UInt8](repeating: UInt8(ascii: "["), count: depth) + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        try JSONScanner.validate(arrays, maximumDepth: depth)
        #expect(throws: (any Error).self) {
            try JSONScanner.validate(Array("[".utf8) + arrays + Array("]".utf8), maximumDepth: depth)
        }
        let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        try JSONScanner.validate(Array(objects.utf8), maximumDepth: depth)
        do throws(JSONSyntaxError) {
            try JSONScanner.validate(Array((#"{"a":"# + objects + "}").utf8), maximumDepth: depth)
            Issue.record("nesting over \(depth) was accepted")
        } catch {
            #expect(error.code == .tooDeep)
            #expect(error.offset == 5 * depth)
        }
    }

    @Test func aMillionOpenBracketsAreRefusedAtOnce() {
        #expect(throws: JSONSyntaxError(.tooDeep, at: 64, message: "objects and arrays are nested too deeply")) {
            try JSONScanner.validate([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
        }
    }

    @Test(arguments: [2, 15, 16, 17, 18, 40, 2000])
    func findsANameTwiceAmongAnyNumber(_ count: Int) throws {
        let names = (0..<count).map { $0 % 3 == 0 ? #""\u006ename\#($0)""# : #""nname\#($0)""# }
        let unique = "{" + names.map { $0 + ":{\"nname1\":0}" }.joined(separator: ",") + "}"
        try JSONScanner.validate(Array(unique.utf8))
        for repeated in [0, count / 2, count - 1] {
            let text = unique.dropLast() + #","nn\u0061me\#(repeated)":1}"#
            do throws(JSONSyntaxError) {
                try JSONScanner.validate(Array(text.utf8))
                Issue.record("name \(repeated) of \(count) was accepted twice")
            } catch {
                #expect(error.code == .duplicateName)
                #expect(error.offset == unique.utf8.count)
            }
        }
    }

    @Test func everyPrefixOfATextIsRefusedAtItsEnd() {
        let text = Array(#"{"a":[1.5e-3,"x\u00e9\n",true,false,null,{"b":-0}],"c":{}}"#.utf8)
        for length in 0..<text.count {
            do throws(JSONSyntaxError) {
                try JSONScanner.validate(Array(text[..<length]))
                Issue.record("a prefix of \(length) bytes was accepted")
            } catch {
                #expect(error.code == .unexpectedEnd)
                #expect(error.offset == length)
            }
        }
    }
}
