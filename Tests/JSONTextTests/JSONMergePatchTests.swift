import JSONText
import Testing

@Suite struct JSONMergePatchTests {
    /// Reads an object's members.
    private func members(_ text: String) throws -> JSONMembers {
        var scanner = JSONScanner(Array(text.utf8))
        let members = try scanner.members()
        try scanner.finish()
        return members
    }

    /// Reads a patch.
    private func patch(_ text: String) throws -> JSONMergePatch {
        var scanner = JSONScanner(Array(text.utf8))
        let patch = try JSONMergePatch(from: &scanner)
        try scanner.finish()
        return patch
    }

    /// Those of RFC 7396, appendix A, whose target and patch are objects.
    static let appendix: [(String, String, String)] = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ]

    static let more: [(String, String, String)] = [
        // The example of section 3.
        (
            #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"x"}"#,
            #"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}"#,
            #"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"x","phoneNumber":"+01-123-456-7890"}"#
        ),
        // A replaced member keeps its place and its name's spelling, new ones come last in the patch's order.
        (#"{"a":1,"b":2,"c":3}"#, #"{"z":9,"b":20,"y":8}"#, #"{"a":1,"b":20,"c":3,"z":9,"y":8}"#),
        (#"{"\u0061":1,"b":2}"#, #"{"a":[ 1.10 ]}"#, #"{"\u0061":[1.10],"b":2}"#),
        (#"{"a":1,"b":2}"#, #"{"\u0062":null}"#, #"{"a":1}"#),
        // An object merged into what is no object.
        (#"{"a":[1],"b":2}"#, #"{"a":{"x":{"y":null,"z":1},"w":null}}"#, #"{"a":{"x":{"z":1}},"b":2}"#),
        (#"{"a":null}"#, #"{"a":{}}"#, #"{"a":{}}"#),
        (#"{"a":{"b":{"c":1,"d":2}}}"#, #"{"a":{"b":{"c":null,"d":null}}}"#, #"{"a":{"b":{}}}"#),
        // Nulls in arrays stay.
        (#"{}"#, #"{"a":[null,{"b":null}]}"#, #"{"a":[null,{"b":null}]}"#),
        (#"{"a":1}"#, #"{}"#, #"{"a":1}"#),
        (#"{"a":1}"#, #"{"b":null}"#, #"{"a":1}"#),
        (
            #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10}"#,
            #"{"j":0,"i":null,"h":0,"g":null,"f":0,"e":null,"d":0,"c":null,"b":0,"k":0,"\u0061":null}"#,
            #"{"b":0,"d":0,"f":0,"h":0,"j":0,"k":0}"#
        ),
    ]

    @Test(arguments: appendix + more)
    func applies(_ target: String, _ patchText: String, _ result: String) throws {
        let patched = try patch(patchText).applied(to: members(target))
        #expect("{" + String(decoding: patched.bytes, as: UTF8.self) + "}" == result)
    }

    @Test func applyingTwiceChangesNothingMore() throws {
        for (target, patchText, _) in Self.appendix + Self.more {
            let patch = try patch(patchText)
            let once = patch.applied(to: try members(target))
            #expect(patch.applied(to: once) == once)
        }
    }

    @Test func writesWhatItRead() throws {
        let text = #"{"a":null,"\u0062":{"c":{},"d":[1.10,{"e":null}]},"f":"x\n"}"#
        var output: [UInt8] = []
        let read = try patch(text)
        read.append(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == text)
        #expect(!read.isEmpty)
        #expect(try patch("{}").isEmpty)
    }

    @Test func refusesANameTwiceAtAnyLevel() {
        #expect(throws: JSONSyntaxError.self) { try patch(#"{"a":1,"a":null}"#) }
        #expect(throws: JSONSyntaxError.self) { try patch(#"{"a":{"b":1,"\u0062":null}}"#) }
    }
}
