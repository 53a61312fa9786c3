import JSONText

/// A value as far as a mapping has to understand it.
enum Scalar: Equatable {
    case null
    case bool(Bool)
    /// A number's text.
    case number([UInt8])
    /// Text, decoded, UTF-8.
    case string([UInt8])
    /// An array or an object as compact JSON.
    case structure([UInt8])

    /// The text of anything but null, an array or an object.
    var text: [UInt8]? {
        switch self {
        case .null, .structure: nil
        case .bool(let bool): Array((bool ? "true" : "false").utf8)
        case .number(let text), .string(let text): text
        }
    }
}

extension ImportedRecord.Value {
    /// The value decoded. O(bytes).
    var scalar: Scalar {
        switch self {
        case .text(let text): return .string(text)
        case .json(let json):
            switch json.first {
            case UInt8(ascii: "n"): return .null
            case UInt8(ascii: "t"): return .bool(true)
            case UInt8(ascii: "f"): return .bool(false)
            case UInt8(ascii: "\""): return .string(Array(JSONString(trusted: json[...]).utf8))
            case UInt8(ascii: "{"), UInt8(ascii: "["): return .structure(json)
            default: return .number(json)
            }
        }
    }

    /// Whether the value nests no deeper than one of an item's members may. O(bytes) for an array or an object.
    var fitsItem: Bool {
        guard case .json(let json) = self, json.first == UInt8(ascii: "{") || json.first == UInt8(ascii: "[") else {
            return true
        }
        return (try? JSONScanner.validate(json, maximumDepth: ImportedEntry.maximumDepth - 1)) != nil
    }

    /// The value as JSON text.
    var json: [UInt8] {
        switch self {
        case .text(let text): text.jsonString
        case .json(let json): json
        }
    }
}
