extension JSONMergePatch {
    /// Reads an object as a merge patch.
    public init(from scanner: inout JSONScanner) throws(JSONSyntaxError) {
        var members: [Member] = []
        try scanner.beginObject()
        while let name = try scanner.nextMember() {
            let action: Action
            switch try scanner.peek() {
            case .null:
                try scanner.null()
                action = .remove
            case .object:
                action = .merge(try JSONMergePatch(from: &scanner))
            default:
                var value: [UInt8] = []
                try scanner.copyValue(to: &value)
                action = .set(value)
            }
            members.append(Member(nameText: Array(name.text), name: Array(name.utf8), action: action))
        }
        self.init(members: members)
    }

    /// Whether the patch names no member.
    public var isEmpty: Bool { members.isEmpty }

    /// Appends the patch as the compact text of an object. O(bytes).
    public func append(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (position, member) in members.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: member.nameText)
            output.append(UInt8(ascii: ":"))
            switch member.action {
            case .remove: JSONWriter.append(token: "null", to: &output)
            case .set(let value): output.append(contentsOf: value)
            case .merge(let patch): patch.append(to: &output)
            }
        }
        output.append(UInt8(ascii: "}"))
    }
}
