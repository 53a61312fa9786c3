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

    /// Appends an item without copying its id and model in between. O(bytes).
    package static func append(_ item: Item, to output: inout [UInt8]) {
        appendOpening(of: item, to: &output)
        append(type: item.type, liked: item.liked, to: &output)
        if item.modelByteCount > 0 {
            output.append(UInt8(ascii: ","))
            item.appendModel(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends an item's `id` and `type` only: `{"id":…,"type":…}`. O(bytes).
    package static func append(referenceTo item: Item, to output: inout [UInt8]) {
        appendOpening(of: item, to: &output)
        append(type: item.type, liked: nil, to: &output)
        output.append(UInt8(ascii: "}"))
    }

    private static func append(
        id: ItemID, type: ItemType?, liked: Bool?, model: JSONMembers, to output: inout [UInt8]
    ) {
        JSONWriter.append(token: "{\"id\":", to: &output)
        JSONWriter.append(string: id.utf8, to: &output)
        append(type: type, liked: liked, to: &output)
        if !model.isEmpty {
            output.append(UInt8(ascii: ","))
            output.append(contentsOf: model.bytes)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func append(type: ItemType?, liked: Bool?, to output: inout [UInt8]) {
        if let type {
            // A type needs no escapes.
            JSONWriter.append(token: ",\"type\":\"", to: &output)
            output.append(contentsOf: type.name.utf8)
            output.append(UInt8(ascii: "\""))
        }
        if let liked {
            JSONWriter.append(token: liked ? ",\"liked\":true" : ",\"liked\":false", to: &output)
        }
    }

    private static func appendOpening(of item: Item, to output: inout [UInt8]) {
        JSONWriter.append(token: "{\"id\":\"", to: &output)
        let start = output.count
        item.appendID(to: &output)
        if output[start...].contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            output.removeSubrange((start - 1)...)
            JSONWriter.append(string: item.id.utf8, to: &output)
        } else {
            output.append(UInt8(ascii: "\""))
        }
    }
}
