import JSONText
import MedleyCore

/// Writes changes to a buffer until it is longer than allowed.
struct ChangeWriter {
    var output: [UInt8]
    /// How long the buffer may become, in bytes.
    let end: Int

    /// Whether the buffer is longer than allowed; what it holds then is cut short.
    var isOver: Bool { output.count > end }

    /// Writes a list of changes.
    mutating func write(_ changes: [Change]) {
        writeList(changes) { $0.write($1) }
    }

    private mutating func write(_ change: Change) {
        let op = change.operation.op
        JSONWriter.append(token: "{\"op\":", to: &output)
        JSONWriter.append(string: op.rawValue, to: &output)
        writeMembers(of: change.operation)
        if change.ignoresMissing, op.optional.contains(.ifMissing) {
            JSONWriter.append(token: ",\"ifMissing\":\"ignore\"", to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private mutating func writeMembers(of operation: Change.Operation) {
        switch operation {
        case .insert(let items, let place):
            write(items)
            if place != .last(in: nil) { write(place) }
        case .upsert(let items, let place):
            write(items)
            if let place { write(place) }
        case .update(let items): write(items)
        case .move(let ids, let place):
            write(ids: ids)
            write(place)
        case .reorder(let section, let ids):
            write("section", section.utf8)
            write(ids: ids)
        case .merge(let ids, let patch):
            write(ids: ids)
            write(patch)
        case .delete(let ids), .setLiked(let ids, _), .toggleLiked(let ids): write(ids: ids)
        case .insertSection(let sections, let place):
            write(sections)
            write(place)
        case .moveSection(let ids, let place):
            write(ids: ids)
            write(place)
        case .updateSection(let sections): write(sections)
        case .deleteSection(let ids): write(ids: ids)
        case .deleteAll: break
        case .updateCollection(let patch):
            JSONWriter.append(token: ",\"set\":", to: &output)
            patch.append(to: &output)
        }
    }

    // MARK: Lists

    private mutating func write(_ items: [ItemContent]) {
        JSONWriter.append(token: ",\"items\":", to: &output)
        writeList(items) { ItemEncoder.append($1, to: &$0.output) }
    }

    private mutating func write(_ sections: [SectionContent]) {
        JSONWriter.append(token: ",\"sections\":", to: &output)
        writeList(sections) { SectionEncoder.append($1, to: &$0.output) }
    }

    private mutating func write(ids: [ItemID]) {
        JSONWriter.append(token: ",\"ids\":", to: &output)
        writeList(ids) { JSONWriter.append(string: $1.utf8, to: &$0.output) }
    }

    private mutating func write(ids: [SectionID]) {
        JSONWriter.append(token: ",\"ids\":", to: &output)
        writeList(ids) { JSONWriter.append(string: $1.utf8, to: &$0.output) }
    }

    private mutating func writeList<Element>(_ elements: [Element], _ write: (inout ChangeWriter, Element) -> Void) {
        output.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if isOver { return }
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            write(&self, element)
        }
        output.append(UInt8(ascii: "]"))
    }

    // MARK: Places

    private mutating func write(_ place: Place) {
        switch place {
        // Without a section, only a null anchor says "last": no anchor at all means something else in some ops.
        case .last(nil): write("before", nil)
        case .last(let section?): write("section", section.utf8)
        case .first(let section):
            write(section)
            write("after", nil)
        case .after(let anchor, let section):
            write(section)
            write("after", anchor.utf8)
        case .before(let anchor, let section):
            write(section)
            write("before", anchor.utf8)
        }
    }

    private mutating func write(_ place: SectionPlace) {
        switch place {
        case .first: write("after", nil)
        case .last: break
        case .after(let anchor): write("after", anchor.utf8)
        case .before(let anchor): write("before", anchor.utf8)
        }
    }

    private mutating func write(_ section: SectionID?) {
        if let section { write("section", section.utf8) }
    }

    /// Writes a member that is a string or null.
    private mutating func write(_ name: String, _ utf8: [UInt8]?) {
        output.append(UInt8(ascii: ","))
        JSONWriter.append(string: name, to: &output)
        output.append(UInt8(ascii: ":"))
        if let utf8 {
            JSONWriter.append(string: utf8, to: &output)
        } else {
            JSONWriter.append(token: "null", to: &output)
        }
    }

    /// Writes the patch of a `merge`, reserved members first.
    private mutating func write(_ patch: ItemPatch) {
        var members: [JSONMergePatch.Member] = []
        func add(_ name: String, _ value: [UInt8]) {
            let text = Array("\"\(name)\"".utf8)
            members.append(JSONMergePatch.Member(nameText: text, name: Array(name.utf8), action: .set(value)))
        }
        func string(_ utf8: [UInt8]) -> [UInt8] {
            var text: [UInt8] = []
            JSONWriter.append(string: utf8, to: &text)
            return text
        }
        if let id = patch.id { add("id", string(id.utf8)) }
        if let type = patch.type { add("type", string(Array(type.name.utf8))) }
        if let liked = patch.liked { add("liked", Array((liked ? "true" : "false").utf8)) }
        JSONWriter.append(token: ",\"set\":", to: &output)
        JSONMergePatch(members: members + patch.model.members).append(to: &output)
    }
}
