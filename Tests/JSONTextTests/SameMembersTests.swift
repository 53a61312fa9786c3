import JSONText
import Testing

/// Objects are unordered: the same members in another order are the same.
@Suite struct SameMembersTests {
    @Test(arguments: [
        ("", "", true),
        (#""a":1,"b":2"#, #""a":1,"b":2"#, true),
        (#""a":1,"b":2"#, #""b":2,"a":1"#, true),
        (#""a":1,"b":2,"c":3"#, #""c":3,"a":1,"b":2"#, true),
        (#""a":1,"b":2"#, #""a":2,"b":1"#, false),
        (#""a":1,"b":2"#, #""b":1,"a":2"#, false),
        (#""a":1,"b":2"#, #""a":1,"c":2"#, false),
        (#""a":1"#, #""a":1,"b":2"#, false),
        (#""a":1,"bcdef":2"#, #""a":1,"b":2,"c":3"#, false),
        // The order within a value is the value's own, and number text and escapes are as they are written.
        (#""a":{"x":1,"y":2}"#, #""a":{"y":2,"x":1}"#, false),
        (#""a":[1,2],"b":",""#, #""b":",","a":[1,2]"#, true),
        (#""a":[1,2]"#, #""a":[2,1]"#, false),
        (#""a":1.0,"b":1"#, #""b":1.0,"a":1"#, false),
        (#""a":1.0"#, #""a":1e0"#, false),
        (#""\u0061":1,"b":1"#, #""b":1,"\u0061":1"#, true),
        (#""\u0061":1"#, #""a":     1"#, false),
    ])
    func membersInAnotherOrderAreTheSame(_ left: String, _ right: String, same: Bool) {
        let (left, right) = (JSONMembers(trusted: Array(left.utf8)), JSONMembers(trusted: Array(right.utf8)))
        #expect(left.hasSameMembers(as: right) == same)
        #expect(right.hasSameMembers(as: left) == same)
    }
}
