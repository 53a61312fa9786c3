import JSONText
import MedleyCore
import MedleyJSON

/// An item in the making: which of a record's fields becomes which member.
struct ItemDraft {
    private let record: ImportedRecord
    private let mapping: RecordMapping

    /// The type, if the mapping or the record says one.
    private(set) var type: ItemType?
    /// `liked`, if the record says it.
    private(set) var liked: Bool?
    /// The id that the mapping or the record states, if it states one.
    private(set) var statedID: [UInt8]?
    /// The members so far.
    private(set) var model = JSONMembers.empty
    /// What was not taken over as it stands.
    private(set) var notices: [ImportNotice] = []

    private var names: Set<[UInt8]>

    private static let id = Array("id".utf8)
    private static let type = Array("type".utf8)
    private static let liked = Array("liked".utf8)

    /// Starts a draft; `place` fills it.
    init(_ record: ImportedRecord, _ mapping: RecordMapping) {
        self.record = record
        self.mapping = mapping
        type = mapping.type
        // No name made up here may take that of a field still to come.
        names = Set(record.fields.map(\.name))
    }

    /// Gives every field its place. O(bytes).
    mutating func place() {
        let winners = winners()
        for winner in winners { names.insert(winner.target) }
        stateID()
        for field in record.fields {
            let won = winners.filter { $0.source == field.name }
            for winner in won { append(field, to: winner.target) }
            guard won.isEmpty else { continue }
            if field.value.scalar == .null, isForKnown(field) { continue }
            noteUnfit(field, winners)
            if winners.contains(where: { $0.target == field.name }) {
                // Another field is mapped to the name that this one has.
                keep(field, like: field.name, suffix: "-2", because: "is mapped from another field")
            } else {
                append(field, to: field.name)
            }
        }
    }

    /// Says something about the record.
    mutating func note(_ message: String) {
        notices.append(ImportNotice(line: record.line, message: message))
    }

    /// For each target the first entry whose field has a value that fits.
    private func winners() -> [RecordMapping.Member] {
        var winners: [RecordMapping.Member] = []
        for member in mapping.members where !winners.contains(where: { $0.target == member.target }) {
            guard let field = record.field(named: member.source) else { continue }
            if member.target == Self.type {
                if mapping.type == nil, itemType(field.value) != nil { winners.append(member) }
            } else if member.target == Self.liked {
                if truth(field.value) != nil { winners.append(member) }
            } else if let known = KnownMember(utf8: member.target[...]) {
                if case .value = known.fit(field.value) { winners.append(member) }
            } else {
                winners.append(member)
            }
        }
        return winners
    }

    /// Whether a field's null is left out: it is mapped, or has the name of, a member that cannot be null.
    private func isForKnown(_ field: ImportedRecord.Field) -> Bool {
        let targets = mapping.members.filter { $0.source == field.name }.map(\.target)
        return (targets.isEmpty ? [field.name] : targets).allSatisfy {
            KnownMember(utf8: $0[...]) != nil || $0 == Self.liked || $0 == Self.type
        }
    }

    /// Says that a field stays under its own name because it does not fit the member that it is mapped to.
    private mutating func noteUnfit(_ field: ImportedRecord.Field, _ winners: [RecordMapping.Member]) {
        for member in mapping.members where member.source == field.name {
            guard !winners.contains(where: { $0.target == member.target }) else { continue }
            let requirement =
                switch member.target {
                case Self.type: mapping.type == nil ? "it is no type" : "it is not the type asked for"
                case Self.liked: "it is neither true nor false"
                default: KnownMember(utf8: member.target[...])?.requirement ?? "it does not fit"
                }
            let own = String(decoding: field.name, as: UTF8.self)
            note("\"\(own)\" is kept under its own name: \(requirement)")
        }
    }

    private mutating func append(_ field: ImportedRecord.Field, to target: [UInt8]) {
        switch target {
        case Self.id: placeID(field)
        case Self.type: placeType(field)
        case Self.liked: placeLiked(field)
        default:
            guard let known = KnownMember(utf8: target[...]) else {
                let nameText = target == field.name ? field.nameText : target.jsonString
                model.append(nameText: nameText, value: field.value.json)
                return
            }
            switch known.fit(field.value) {
            case .absent: break
            case .value(let value): model.append(nameText: target.jsonString, value: value)
            case .unfit: keep(field, like: target, suffix: "Text", because: "does not fit, \(known.requirement)")
            }
        }
    }

    /// Keeps a value under a name made from `name`, and says so.
    private mutating func keep(
        _ field: ImportedRecord.Field, like name: [UInt8], suffix: String, because reason: String
    ) {
        var free = name + Array(suffix.utf8)
        var number = 1
        while !names.insert(free).inserted {
            number += 1
            free = name + Array((suffix == "Text" ? "Text-\(number)" : "-\(number)").utf8)
        }
        model.append(nameText: free.jsonString, value: field.value.json)
        let own = String(decoding: field.name, as: UTF8.self)
        note("\"\(own)\" \(reason); it is kept as \"\(String(decoding: free, as: UTF8.self))\"")
    }
}

// The reserved members.
extension ItemDraft {
    /// Finds the id that the mapping or the record states.
    private mutating func stateID() {
        let fields = mapping.idFields.isEmpty ? [Self.id] : mapping.idFields
        let values = fields.map { name -> [UInt8] in
            switch record.field(named: name)?.value.scalar {
            case nil, .null: []
            case .structure(let json): json
            case .some(let scalar): scalar.text ?? []
            }
        }
        guard !values.allSatisfy(\.isEmpty) else {
            if !mapping.idFields.isEmpty {
                note("no value for the id in the fields of --id; the id is derived from the content")
            }
            return
        }
        if mapping.idFields.isEmpty {
            statedID = ContentID.plain(values[0])
        } else {
            statedID = ContentID.plainOrHashed(ContentID.joined(values), prefix: "")
        }
    }

    private mutating func placeID(_ field: ImportedRecord.Field) {
        if let statedID, mapping.idFields.isEmpty || mapping.idFields == [Self.id], field.value.scalar.text == statedID
        {
            return
        }
        guard field.value.scalar != .null else { return }
        let reason = mapping.idFields.isEmpty ? "cannot be an id" : "is not the id that --id asks for"
        keep(field, like: Self.id, suffix: "Text", because: reason)
    }

    private mutating func placeType(_ field: ImportedRecord.Field) {
        guard field.value.scalar != .null else { return }
        let own = itemType(field.value)
        if let own, mapping.type == nil, type == nil {
            type = own
        } else if own == nil || own != type {
            keep(
                field, like: Self.type, suffix: "Text",
                because: own == nil ? "cannot be a type" : "is not the type asked for")
        }
    }

    private mutating func placeLiked(_ field: ImportedRecord.Field) {
        guard field.value.scalar != .null else { return }
        if let truth = truth(field.value), liked == nil {
            liked = truth
        } else {
            keep(field, like: Self.liked, suffix: "Text", because: "is neither true nor false")
        }
    }

    private func itemType(_ value: ImportedRecord.Value) -> ItemType? {
        guard case .string(let text) = value.scalar else { return nil }
        return ItemType(String(decoding: text.trimmed, as: UTF8.self))
    }

    private func truth(_ value: ImportedRecord.Value) -> Bool? {
        guard let text = value.scalar.text else { return nil }
        switch String(decoding: text.trimmed, as: UTF8.self).lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        default: return nil
        }
    }
}
