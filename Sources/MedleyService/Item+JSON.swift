import JSONText
import MedleyCore

extension Item {
    /// Appends the item as JSON, reserved members first, without copying the model in between. O(bytes).
    func appendJSON(to output: inout [UInt8]) {
        appendOpening(to: &output)
        JSONWriter.append(token: liked ? ",\"liked\":true" : ",\"liked\":false", to: &output)
        if modelByteCount > 0 {
            output.append(UInt8(ascii: ","))
            appendModel(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends the item's id and type only.
    func appendReference(to output: inout [UInt8]) {
        appendOpening(to: &output)
        output.append(UInt8(ascii: "}"))
    }

    private func appendOpening(to output: inout [UInt8]) {
        JSONWriter.append(token: "{\"id\":\"", to: &output)
        let start = output.count
        appendID(to: &output)
        if output[start...].contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            output.removeSubrange((start - 1)...)
            JSONWriter.append(string: id.utf8, to: &output)
            JSONWriter.append(token: ",\"type\":\"", to: &output)
        } else {
            JSONWriter.append(token: "\",\"type\":\"", to: &output)
        }
        // A type needs no escapes.
        output.append(contentsOf: type.name.utf8)
        output.append(UInt8(ascii: "\""))
    }
}
