import MedleyCore

/// A record in the making, before its id is told apart from the others'.
struct EntryDraft {
    /// The line on which it begins.
    var line: Int
    /// Everything but the id.
    var fields: FieldList
    /// What the format has for an id; `nil` leaves it to the content.
    var id: [UInt8]?
    /// The type by the medium.
    var type: ItemType?
    /// When it came out, for telling which of two with one id was there first.
    var time: Int?
    /// Which of the format's sections it is in.
    var section: SectionContent?
    /// Whether less is known of it than another time.
    var isPartial = false
    /// The id that it had while an older entry of the same id stood beside it.
    var formerID: ItemID?

    /// The first of some texts that is not empty as the id; one that cannot be an id is hashed.
    static func id(_ candidates: [String?]) -> [UInt8]? {
        for case .some(let text) in candidates where !text.isEmpty {
            return ContentID.plainOrHashed(Array(text.utf8), prefix: "")
        }
        return nil
    }

    /// Keeps a text that was meant for an id and cannot be one, so that it is not lost.
    static func keep(_ text: String?, as name: String, in fields: inout FieldList) {
        if let text, ContentID.plain(Array(text.utf8)) == nil { fields.own(name, text) }
    }

    /// Several texts as one id, if none is missing; else `nil`.
    static func id(all parts: [String?]) -> [UInt8]? {
        let texts = parts.compactMap { $0 }.filter { !$0.isEmpty }
        guard texts.count == parts.count, !texts.isEmpty else { return nil }
        return ContentID.plainOrHashed(ContentID.joined(texts.map { Array($0.utf8) }), prefix: "")
    }
}

extension [EntryDraft] {
    /// Tells entries of one id apart, as feeds need it; the notices are by the entry's index.
    ///
    /// Of several with one id the oldest keeps it (by its time, else the last in the file); the others' get a hash of
    /// where, else when put behind. `RecordMapper` counts in the file's order instead, which would not do here: a feed
    /// grows at the top, so that each new entry would take the id of the one before it. The very same entry twice is
    /// left to the mapper.
    ///
    /// When the oldest leaves the feed, the next would take its id: each entry says which id it had beside an older one.
    mutating func tellApartByAge() -> [Int: ImportNotice] {
        var groups: [[UInt8]: [Int]] = [:]
        for (index, draft) in enumerated() {
            if let id = draft.id { groups[id, default: []].append(index) }
        }
        var notices: [Int: ImportNotice] = [:]
        for (id, indices) in groups {
            let ordered = indices.sorted { (self[$0].time ?? .max, -$0) < (self[$1].time ?? .max, -$1) }
            var used: Set<[String]> = []
            for (rank, index) in ordered.enumerated() {
                let (place, whole) = (self[index].place, self[index].distinction)
                if rank == 0 { self[index].formerID = ItemID(utf8: ContentID.apart(id, by: place)) }
                // What is corrected in an entry makes no other of it, unless two lie in one place.
                let isAlone = used.insert(place).inserted
                guard used.insert(whole).inserted, rank > 0 else { continue }
                self[index].id = ContentID.apart(id, by: isAlone ? place : whole)
                notices[index] = ImportNotice(
                    line: self[index].line,
                    message: "an older entry has this id already; a hash of what differs was put behind this one's")
            }
        }
        return notices
    }

    /// The records, refusals where their lines are, each notice before its record; both lists are in the file's order.
    func entries(_ refusals: [ImportRefusal] = [], notices: [Int: ImportNotice] = [:]) -> [ImportedEntry] {
        var entries: [ImportedEntry] = []
        entries.reserveCapacity(count + refusals.count)
        var rest = refusals[...]
        for (index, draft) in enumerated() {
            while let refusal = rest.first, refusal.line <= draft.line {
                entries.append(.refusal(refusal))
                rest.removeFirst()
            }
            if let notice = notices[index] { entries.append(.notice(notice)) }
            entries.append(.record(draft.record))
        }
        return entries + rest.map { .refusal($0) }
    }
}

extension EntryDraft {
    /// Where an entry's medium or page is, else when it came out, else what it is called.
    fileprivate var place: [String] {
        for name in ["url", "link", "publishedAt", "title"] {
            if let text = fields.text(name), !text.isEmpty { return [name, text] }
        }
        return []
    }

    /// All that tells an entry apart from another of its id.
    fileprivate var distinction: [String] {
        ["url", "link", "title", "creator", "artist", "publishedAt"].map { fields.text($0) ?? "" }
    }

    fileprivate var record: ImportedRecord {
        var all = fields.fields
        if let id {
            let name = Array("id".utf8)
            all.insert(.init(name: name, nameText: name.jsonString, value: .text(id)), at: 0)
        }
        return ImportedRecord(
            line: line, fields: all, section: section, impliedType: type, isPartial: isPartial, formerID: formerID)
    }
}
