public import JSONText
public import MedleyCore

/// Writes items as JSON, reserved members first: `{"id":…,"type":…,"liked":…,<model>}`.
public enum ItemEncoder {
    /// Appends an item. O(bytes).
    public static func append(
        id: ItemID, type: ItemType, liked: Bool, model: JSONMembers, to output: inout [UInt8]
    ) {
        append(id: id, type: type, liked: .some(liked), model: model, to: &output)
    }

    /// Appends an item as a client or a change states it, with what it has of `type` and `liked`. O(bytes).
    public static func append(_ item: ItemContent, to output: inout [UInt8]) {
        append(id: item.id, type: item.type, liked: item.liked, model: item.model, to: &output)
    }

    /// Appends an item's `id` and `type` only: `{"id":…,"type":…}`.
    public static func append(id: ItemID, type: ItemType, to output: inout [UInt8]) {
        append(id: id, type: type, liked: nil, model: .empty, to: &output)
    }

    private static func append(
        id: ItemID, type: ItemType?, liked: Bool?, model: JSONMembers, to output: inout [UInt8]
    ) {
        JSONWriter.append(token: "{\"id\":", to: &output)
        JSONWriter.append(string: id.utf8, to: &output)
        if let type {
            JSONWriter.append(token: ",\"type\":", to: &output)
            JSONWriter.append(string: type.name, to: &output)
        }
        if let liked {
            JSONWriter.append(token: liked ? ",\"liked\":true" : ",\"liked\":false", to: &output)
        }
        if !model.isEmpty {
            output.append(UInt8(ascii: ","))
            output.append(contentsOf: model.bytes)
        }
        output.append(UInt8(ascii: "}"))
    }
}
