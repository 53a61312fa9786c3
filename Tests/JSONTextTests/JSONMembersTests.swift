import JSONText
import Testing

@Suite struct JSONMembersTests {
    @Test func walksMembersInOrder() {
        let text = #""a":1,"b\"\\":{"x":"},]","y":[1,{"z":"\""}]},"\u0063":"d,e","é":null"#
        let members = Array(JSONMembers(trusted: Array(text.utf8)))
        #expect(
            members.map { String(decoding: $0.name.text, as: UTF8.self) } == [
                #""a""#, #""b\"\\""#, #""\u0063""#, #""é""#,
            ])
        #expect(members.map(\.name.string) == ["a", #"b"\"#, "c", "é"])
        #expect(
            members.map { String(decoding: $0.value, as: UTF8.self) }
                == ["1", #"{"x":"},]","y":[1,{"z":"\""}]}"#, #""d,e""#, "null"])
    }

    @Test func hasNoMembersWhenEmpty() {
        #expect(Array(JSONMembers.empty).isEmpty)
        #expect(JSONMembers.empty.isEmpty)
    }

    @Test func findsAValueByItsDecodedName() {
        let members = JSONMembers(trusted: Array(#""\u0074itle":"L\u0061yla","n":1.10"#.utf8))
        #expect(members.value(of: "title").map { String(decoding: $0, as: UTF8.self) } == #""L\u0061yla""#)
        #expect(members.string(of: "title").map { String(decoding: $0, as: UTF8.self) } == "Layla")
        #expect(members.value(of: "n").map { String(decoding: $0, as: UTF8.self) } == "1.10")
        #expect(members.string(of: "n") == nil)
        #expect(members.value(of: "titl") == nil)
    }

    @Test func setsAMemberInPlaceOrAtTheEnd() {
        var members = JSONMembers.empty
        members.append(name: "a", value: "1".utf8)
        members.append(nameText: #""\u0062""#.utf8, value: "[2]".utf8)
        members.append(name: "c\n", value: "3".utf8)
        members.set(name: "b", value: Array("{}".utf8))
        members.set(name: "d", value: Array("true".utf8))
        #expect(String(decoding: members.bytes, as: UTF8.self) == #""a":1,"\u0062":{},"c\n":3,"d":true"#)
    }
}
