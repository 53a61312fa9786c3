import JSONText

/// An item's members for writers of formats that have places for some of them.
struct ItemMembers {
    /// The members in their order.
    let all: [JSONMembers.Member]

    init(_ model: JSONMembers) {
        all = Array(model)
    }

    /// The value of a member, compact JSON.
    func value(_ name: String) -> [UInt8]? {
        all.first { $0.name.equals(name) }.map { Array($0.value) }
    }

    /// The text of a member that is a string.
    func text(_ name: String) -> [UInt8]? {
        guard let value = all.first(where: { $0.name.equals(name) })?.value, value.first == UInt8(ascii: "\"") else {
            return nil
        }
        return Array(JSONString(trusted: value).utf8)
    }

    /// The members but for those that the format has said already.
    func except(_ said: Set<String>) -> JSONMembers {
        var rest = JSONMembers.empty
        for member in all where !said.contains(member.name.string) {
            rest.append(nameText: member.name.text, value: member.value)
        }
        return rest
    }
}

extension [UInt8] {
    /// Whether the text stands on a line as it is: not empty, no control characters, no white space at its ends.
    var isLine: Bool {
        guard let first, let last, !first.isJSONSpace, !last.isJSONSpace else { return false }
        return !contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// The text with spaces for control characters, so that it stands on one line.
    var asLine: [UInt8] { map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }.trimmed }
}
