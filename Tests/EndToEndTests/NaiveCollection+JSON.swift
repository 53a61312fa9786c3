import JSONText
import MedleyCore
import MedleyJSON

extension NaiveCollection {
    /// The snapshot as the server must write it, byte for byte.
    func json(id: String, revision: Revision) -> [UInt8] {
        var text = Array(#"{"id":"\#(id)","#.utf8)
        if !members.isEmpty { text += members.bytes + Array(",".utf8) }
        let items = allItems
        text += Array(
            #""revision":"\#(revision)","counts":{"sections":\#(sections.count),"items":\#(items.count)},"#.utf8)
        let types = Dictionary(grouping: items, by: \.type).sorted { $0.key < $1.key }
        text += Array(#""types":{"#.utf8)
        text += Array(types.map { #""\#($0.key)":\#($0.value.count)"# }.joined(separator: ",").utf8)
        text += Array(#"},"sections":["#.utf8)
        for (index, section) in sections.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            SectionEncoder.appendOpening(id: section.id, members: section.members, to: &text)
            text += Array(#","items":["#.utf8)
            for (index, item) in section.items.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                ItemEncoder.append(id: item.id, type: item.type, liked: item.liked, model: item.model, to: &text)
            }
            text += Array("]}".utf8)
        }
        return text + Array("]}".utf8)
    }
}
