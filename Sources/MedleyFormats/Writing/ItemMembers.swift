import JSONText

/// An item's members for writers of formats that have places for some of them.
struct ItemMembers {
    /// The members in their order.
    let all: [JSONMembers.Member]
    /// Which of them the format has said already.
    private var said: [Bool]

    init(_ model: JSONMembers) {
        all = Array(model)
        said = [Bool](repeating: false, count: all.count)
    }

    /// The value of a member, compact JSON.
    func value(_ name: String) -> [UInt8]? {
        all.first { $0.name.equals(name) }.map { Array($0.value) }
    }

    /// The text of a member that is a string.
    func text(_ name: String) -> [UInt8]? {
        all.first { $0.name.equals(name) }.flatMap { $0.text }
    }

    /// Notes that the format says all of some members.
    mutating func say(_ names: String...) {
        for index in all.indices where names.contains(where: { all[index].name.equals($0) }) { said[index] = true }
    }

    /// Notes that the format says all of a member.
    mutating func say(at index: Int) { said[index] = true }

    /// The members of which the format does not say all.
    var rest: JSONMembers {
        var rest = JSONMembers.empty
        for index in all.indices where !said[index] {
            rest.append(nameText: all[index].name.text, value: all[index].value)
        }
        return rest
    }
}

extension JSONMembers.Member {
    /// The characters of a value that is a string.
    var text: [UInt8]? {
        value.first == UInt8(ascii: "\"") ? Array(JSONString(trusted: value).utf8) : nil
    }
}

extension [UInt8] {
    /// Whether the text stands on a line as it is: not empty, no control characters, no white space at its ends.
    var isLine: Bool {
        guard let first, let last, !first.isJSONSpace, !last.isJSONSpace else { return false }
        return !contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// The text with spaces for control characters, so that it stands on one line.
    var asLine: [UInt8] { isLine ? self : map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }.trimmed }

    /// Appends text as it is.
    mutating func append(token: StaticString) { JSONWriter.append(token: token, to: &self) }
}
