import JSONText
public import MedleyCore

/// Writes changes as JSON in the form that `ChangeDecoder` reads: `op` first, what is not needed left out.
public enum ChangeEncoder {
    /// The list as JSON. O(bytes).
    public static func encoded(_ changes: [Change]) -> [UInt8] {
        var output: [UInt8] = []
        append(changes, to: &output)
        return output
    }

    /// The list as JSON, or `nil` if that is longer than `limit` bytes; stops soon after that many. O(limit).
    public static func encoded(_ changes: [Change], atMost limit: Int) -> [UInt8]? {
        var writer = ChangeWriter(output: [], end: limit)
        writer.write(changes)
        return writer.isOver ? nil : writer.output
    }

    /// Appends the list as JSON. O(bytes).
    public static func append(_ changes: [Change], to output: inout [UInt8]) {
        var writer = ChangeWriter(output: [], end: .max)
        swap(&writer.output, &output)
        writer.write(changes)
        swap(&writer.output, &output)
    }
}
