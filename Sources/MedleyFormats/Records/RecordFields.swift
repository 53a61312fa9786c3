import JSONText

/// The fields of a record in the making, no name twice.
struct RecordFields {
    private(set) var fields: [ImportedRecord.Field] = []
    private var indices: [[UInt8]: Int] = [:]
    private var numbers: [[UInt8]: Int] = [:]

    /// Adds text under a name; no text adds nothing.
    mutating func append(_ name: String, text: [UInt8]?) {
        guard let text, !text.isEmpty else { return }
        append(name: Array(name.utf8), value: .text(text))
    }

    /// Adds a value under a name. Where that is taken by another value, a number is put behind it (`name-2`); the same
    /// value again adds nothing. O(bytes), expected.
    mutating func append(name: [UInt8], value: ImportedRecord.Value) {
        var free = name
        if let index = indices[name] {
            guard fields[index].value != value else { return }
            var number = numbers[name] ?? 1
            repeat {
                number += 1
                free = name + Array("-\(number)".utf8)
            } while indices[free] != nil
            numbers[name] = number
        }
        indices[free] = fields.count
        fields.append(.init(name: free, nameText: free.jsonString, value: value))
    }

    /// Adds the members of an object, values as they are.
    mutating func append(_ members: JSONMembers) {
        for member in members { append(name: Array(member.name.utf8), value: .json(Array(member.value))) }
    }
}
