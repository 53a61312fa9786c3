import JSONText
import MedleyCore

/// Changes as lines that a person reads, with titles in place of ids: `moved     Caught Up in You  after  Fantasy Girl`.
struct ChangeLines {
    /// Where what is gone had its title; `nil` if that is not known.
    let before: Snapshot?
    /// Where everything else has it.
    let after: Snapshot

    /// The lines of a change in the normal form.
    func lines(of change: Change) -> [String] {
        switch change.operation {
        case .delete(let ids): ids.map { line("deleted", title(of: $0)) }
        case .insert(let items, let place):
            placed("inserted", items.map { (id: $0.id, title: title(of: $0.model, id: "\($0.id)")) }, place)
        case .move(let ids, let place): placed("moved", ids.map { (id: $0, title: title(of: $0)) }, place)
        case .update(let items): items.flatMap(updated)
        case .insertSection(let sections, let place):
            placed(
                "section inserted", sections.map { (id: $0.id, title: title(of: $0.members, id: "\($0.id)")) }, place)
        case .moveSection(let ids, let place):
            placed("section moved", ids.map { (id: $0, title: title(of: $0)) }, place)
        case .updateSection(let sections): sections.map(updated)
        case .deleteSection(let ids): ids.map { line("section deleted", title(of: $0)) }
        case .updateCollection(let patch):
            [line("collection changed", PrintableText.of(patch.members.map(\.shownName).joined(separator: ", ")))]
        // The server returns the normal form only, which has none of these.
        case .upsert, .reorder, .merge, .setLiked, .toggleLiked, .deleteAll: []
        }
    }

    private func line(_ verb: String, _ title: String, _ rest: String = "") -> String {
        let padding = String(repeating: " ", count: max(0, 8 - verb.count))
        return "\(verb)\(padding)  \(title)" + (rest.isEmpty ? "" : "  \(rest)")
    }

    // MARK: Edited

    /// A like and an edit of the model are one `update`.
    private func updated(_ item: ItemContent) -> [String] {
        let title = title(of: item.model, id: "\(item.id)")
        guard let old = before?.item(item.id) else { return [line("changed", title)] }
        var lines: [String] = []
        if let liked = item.liked, liked != old.liked { lines.append(line(liked ? "liked" : "unliked", title)) }
        if old.model != item.model {
            let former = self.title(of: old.model, id: "\(item.id)")
            lines.append(line("changed", title, former == title ? "" : "was  \(former)"))
        }
        return lines
    }

    private func updated(_ section: SectionContent) -> String {
        let title = title(of: section.members, id: "\(section.id)")
        let former = before?.section(section.id).map { self.title(of: $0.members, id: "\(section.id)") }
        return line("section changed", title, former == nil || former == title ? "" : "was  \(former ?? "")")
    }

    // MARK: Placed

    /// Things that stand together: the first at the place, each other one after the one before.
    private func placed(_ verb: String, _ items: [(id: ItemID, title: String)], _ place: Place) -> [String] {
        var spot =
            switch place {
            case .after(let id, _): "after  \(title(of: id))"
            case .before(let id, _): "before  \(title(of: id))"
            case .first(let section): "first in  \(section.map(title(of:)) ?? "the first section")"
            case .last(let section): "last in  \(section.map(title(of:)) ?? "the last section")"
            }
        return items.map { item in
            defer { spot = "after  \(item.title)" }
            return line(verb, item.title, spot)
        }
    }

    private func placed(
        _ verb: String, _ sections: [(id: SectionID, title: String)], _ place: SectionPlace
    ) -> [String] {
        var spot =
            switch place {
            case .after(let id): "after  \(title(of: id))"
            case .before(let id): "before  \(title(of: id))"
            case .first: "first"
            case .last: "last"
            }
        return sections.map { section in
            defer { spot = "after  \(section.title)" }
            return line(verb, section.title, spot)
        }
    }

    // MARK: Titles

    private func title(of id: ItemID) -> String {
        let item = after.item(id) ?? before?.item(id)
        return title(of: item?.model ?? .empty, id: "\(id)")
    }

    private func title(of id: SectionID) -> String {
        let section = after.section(id) ?? before?.section(id)
        return title(of: section?.members ?? .empty, id: "\(id)")
    }

    private func title(of members: JSONMembers, id: String) -> String {
        let title = members.string(of: "title").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return PrintableText.of(title.isEmpty ? id : title)
    }
}

extension JSONMergePatch.Member {
    /// The name, with its value if that is short text.
    fileprivate var shownName: String {
        let name = String(decoding: self.name, as: UTF8.self)
        switch action {
        case .remove: return "\(name) removed"
        case .set(let value) where value.count <= 200: return "\(name): \(String(decoding: value, as: UTF8.self))"
        case .set, .merge: return name
        }
    }
}
