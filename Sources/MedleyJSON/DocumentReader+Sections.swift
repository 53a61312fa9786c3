import JSONText
import MedleyCore

extension DocumentReader {
    /// Reads a section: `title` goes first, its other members keep their order. Its items are read by `readItems`, or
    /// refused if there is no such closure.
    mutating func section(
        items readItems: ((inout DocumentReader) throws(DecodingProblem) -> Void)? = nil
    ) throws(DecodingProblem) -> SectionContent {
        let outer = limitOwnDepth()
        let inner = maximumDepth
        try beginObject("a section must be an object")
        var id: SectionID?
        var hasID = false
        var title = Array("\"\"".utf8)
        var others = JSONMembers.empty
        while let name = try nextMember() {
            if name.equals("id") {
                hasID = true
                let string = try stringIfAny()
                id = string.flatMap { acceptedID($0.utf8) }.map { SectionID(utf8: $0.utf8) }
                if id == nil { note(.invalidItem, Requirement.id, member: "id", limit: Requirement.idLimit(string)) }
            } else if name.equals("title") {
                title = []
                if try peek() != .string { note(.invalidItem, Requirement.title, member: "title") }
                try copyValue(to: &title)
            } else if name.equals("items") {
                guard let readItems else {
                    throw problem(.invalidChange, "a section in a change has no items", member: "items")
                }
                maximumDepth = outer
                try at(.member("items"), readItems)
                maximumDepth = inner
            } else {
                var value: [UInt8] = []
                try copyValue(to: &value)
                others.append(nameText: name.text, value: value)
            }
        }
        maximumDepth = outer
        if !hasID { note(.invalidItem, "a section must have an id") }
        var members = JSONMembers.empty
        members.append(name: "title", value: title)
        members = members.appending(others)
        if members.bytes.count > limits.sectionByteCount {
            let most = limits.sectionByteCount
            throw problem(
                .contentTooLarge, "a section's own members have at most \(most) bytes; put what is long into items",
                limit: most)
        }
        return SectionContent(id: id ?? SectionID(""), members: members)
    }
}

extension JSONMembers {
    /// These members and then others, which have other names.
    func appending(_ others: JSONMembers) -> JSONMembers {
        if isEmpty { return others }
        return others.isEmpty ? self : JSONMembers(trusted: bytes + [UInt8(ascii: ",")] + others.bytes)
    }
}
