import JSONText
import MedleyCore

/// Reads one piece of a checkpoint. What was written by `CheckpointEncoder` comes in its form; so the order of members is
/// asked for, and what is valid there, a model's known members for one, is not judged again.
struct CheckpointReader {
    /// Deeper than anything that was ever accepted, and within the smallest stack.
    static let maximumDepth = 256

    private var scanner: JSONScanner
    /// The types met so far by their bytes, so that each is made once.
    private var types: [(utf8: [UInt8], type: ItemType)] = []

    /// Reads a piece.
    static func read(_ kind: CheckpointPiece.Kind, _ text: [UInt8]) throws(CheckpointError) -> DecodedPiece {
        var reader = CheckpointReader(scanner: JSONScanner(text, maximumDepth: maximumDepth))
        do throws(JSONSyntaxError) {
            let content = try reader.content(kind)
            try reader.scanner.finish()
            return DecodedPiece(content: content)
        } catch {
            throw CheckpointError(error)
        }
    }

    private init(scanner: JSONScanner) { self.scanner = scanner }

    private mutating func content(_ kind: CheckpointPiece.Kind) throws(JSONSyntaxError) -> DecodedPiece.Content {
        switch kind {
        case .collection: .collection(try head())
        case .members: .members(try list { reader throws(JSONSyntaxError) in try reader.member() })
        case .removedMembers: .removedMembers(try list { reader throws(JSONSyntaxError) in try reader.removal() })
        case .sections: .sections(try list { reader throws(JSONSyntaxError) in try reader.run() })
        case .deletedItems: .deletedItems(try list { reader throws(JSONSyntaxError) in try reader.deleted() })
        case .deletedSections: .deletedSections(try list { reader throws(JSONSyntaxError) in try reader.deleted() })
        }
    }

    // MARK: What the kinds hold

    private mutating func head() throws(JSONSyntaxError) -> DecodedPiece.Head {
        try scanner.beginObject()
        try name("format")
        let start = scanner.offset
        let format = try integer()
        if format != 1 { throw fault("a checkpoint of format \(format), which this version cannot read", at: start) }
        try name("lineage")
        let lineage = try scanner.string().string
        try name("number")
        let number = try integer()
        try name("floor")
        let floor = try integer()
        try name("counts")
        var counts = CheckpointCounts()
        try scanner.beginObject()
        for (member, path) in CheckpointCounts.names {
            try name(member)
            let start = scanner.offset
            guard let count = Int(exactly: try integer()) else { throw fault("a count that cannot be", at: start) }
            counts[keyPath: path] = count
        }
        try endObject()
        try endObject()
        return DecodedPiece.Head(
            revision: Revision(lineage: lineage, number: number), floor: floor, counts: counts)
    }

    private mutating func member() throws(JSONSyntaxError) -> MemberHistory {
        try scanner.beginArray()
        let (placed, changed) = (try number(), try number())
        try element()
        try scanner.beginObject()
        guard let name = try scanner.nextMember() else { throw fault("a member is missing") }
        var value: [UInt8] = []
        try scanner.copyValue(to: &value)
        try endObject()
        try endArray()
        return MemberHistory(nameText: Array(name.text), value: value, placed: placed, changed: changed)
    }

    private mutating func removal() throws(JSONSyntaxError) -> MemberRemoval {
        try scanner.beginArray()
        let revision = try number()
        try element()
        let name = try scanner.string()
        try endArray()
        return MemberRemoval(nameText: Array(name.text), revision: revision)
    }

    private mutating func deleted() throws(JSONSyntaxError) -> DecodedPiece.Deleted {
        try scanner.beginArray()
        let (created, deleted) = (try number(), try number())
        try element()
        let start = scanner.offset
        let id = Array(try scanner.string().utf8)
        if id.count > ItemRecord.maximumIDByteCount { throw fault("an id that is too long", at: start) }
        try endArray()
        return DecodedPiece.Deleted(id: id, created: created, deleted: deleted)
    }

    private mutating func run() throws(JSONSyntaxError) -> DecodedPiece.Run {
        var run = DecodedPiece.Run()
        try scanner.beginObject()
        guard var name = try scanner.nextMember() else { throw fault("section or items are missing") }
        if name.equals("section") {
            run.section = try section()
            guard let next = try scanner.nextMember() else { throw fault("items are missing") }
            name = next
        }
        guard name.equals("items") else { throw fault("items expected, \(name.string) found") }
        try scanner.beginArray()
        while try scanner.nextElement() { run.items.append(try item()) }
        try endObject()
        return run
    }

    private mutating func section() throws(JSONSyntaxError) -> (SectionContent, Stamps) {
        try scanner.beginArray()
        let stamps = Stamps(created: try number(), placed: try number(), changed: try number())
        try element()
        try scanner.beginObject()
        try name("id")
        let id = try scanner.string()
        let members = try scanner.remainingMembers()
        try endArray()
        return (
            SectionContent(id: SectionID(utf8: Array(id.utf8)), members: JSONMembers(trusted: Array(members))), stamps
        )
    }

    private mutating func item() throws(JSONSyntaxError) -> ItemRecord {
        let start = scanner.offset
        try scanner.beginArray()
        let stamps = Stamps(created: try number(), placed: try number(), changed: try number())
        try element()
        try scanner.beginObject()
        try name("id")
        let id = try scanner.string()
        try name("type")
        let type = try type()
        try name("liked")
        let liked = try scanner.bool()
        let model = try scanner.remainingMembers()
        try endArray()
        guard let item = ItemRecord(id: id.utf8, type: type, liked: liked, model: model, stamps: stamps) else {
            throw fault("an item whose id is too long", at: start)
        }
        return item
    }

    private mutating func type() throws(JSONSyntaxError) -> ItemType {
        let start = scanner.offset
        let text = try scanner.string()
        if let known = types.first(where: { $0.utf8.elementsEqual(text.utf8) }) { return known.type }
        guard let type = ItemType(text.string) else { throw fault("\(text.string) is no type of items", at: start) }
        types.append((Array(text.utf8), type))
        return type
    }

    // MARK: Parts

    private mutating func list<Element>(
        _ element: (inout CheckpointReader) throws(JSONSyntaxError) -> Element
    ) throws(JSONSyntaxError) -> [Element] {
        try scanner.beginArray()
        var elements: [Element] = []
        while try scanner.nextElement() { elements.append(try element(&self)) }
        return elements
    }

    /// Reads the name that must come next.
    private mutating func name(_ expected: String) throws(JSONSyntaxError) {
        guard let name = try scanner.nextMember(), name.equals(expected) else { throw fault("\(expected) expected") }
    }

    private mutating func endObject() throws(JSONSyntaxError) {
        if let name = try scanner.nextMember() { throw fault("\(name.string) is not expected") }
    }

    /// Goes to the element that must come next.
    private mutating func element() throws(JSONSyntaxError) {
        guard try scanner.nextElement() else { throw fault("a list is too short") }
    }

    private mutating func endArray() throws(JSONSyntaxError) {
        if try scanner.nextElement() { throw fault("a list is too long") }
    }

    /// Reads the next element, a number.
    private mutating func number() throws(JSONSyntaxError) -> UInt64 {
        try element()
        return try integer()
    }

    private mutating func integer() throws(JSONSyntaxError) -> UInt64 {
        let text = try scanner.number()
        var value: UInt64 = 0
        for byte in text {
            let digit = byte &- UInt8(ascii: "0")
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
            guard digit < 10, !overflowed, !carried else {
                throw fault("\(String(decoding: text, as: UTF8.self)) is no count", at: text.startIndex)
            }
            value = sum
        }
        return value
    }

    private func fault(_ message: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(.wrongKind, at: offset ?? scanner.offset, message: message)
    }
}
