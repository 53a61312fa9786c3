public import Foundation
import JSONText
public import MedleyCore
import MedleyJSON

extension Item {
    /// The whole item, `id`, `type` and `liked` among its members, as a type of the app's. O(bytes).
    public func decoded<Model: Decodable>(
        as type: Model.Type = Model.self, by decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        var json: [UInt8] = []
        ItemEncoder.append(content, to: &json)
        return try decoder.decode(type, from: Data(json))
    }
}

extension ItemContent {
    /// An item whose model is a value of the app's; `id`, `type` and `liked` in it are left out, since the item has them
    /// itself. O(bytes). Throws what the encoder throws, and if the value is not encoded as an object.
    public init(
        id: ItemID, type: ItemType?, liked: Bool? = nil, encoding model: some Encodable,
        by encoder: JSONEncoder = JSONEncoder()
    ) throws {
        var scanner = JSONScanner([UInt8](try encoder.encode(model)))
        let all: JSONMembers
        do throws(JSONSyntaxError) {
            all = try scanner.members()
        } catch {
            let context = EncodingError.Context(codingPath: [], debugDescription: "a model must be an object")
            throw EncodingError.invalidValue(model, context)
        }
        var members = JSONMembers.empty
        for member in all where !["id", "type", "liked"].contains(where: { member.name.equals($0) }) {
            members.append(nameText: member.name.text, value: member.value)
        }
        self.init(id: id, type: type, liked: liked, model: members)
    }
}
