/// A JavaScript module that is written in files and served as one, so that it can be loaded from anywhere and copied.
///
/// Each part is a module with `import` and `export` on lines of their own; names on the outermost level are unique among
/// the parts. Joined, the parts need neither: only what the entry names is exported.
package enum ScriptModule {
    /// The parts one after the other, each behind those that it needs to be there when it begins, and the entry's
    /// exports. O(bytes).
    package static func joining(entry: [UInt8], parts: [[UInt8]]) -> [UInt8] {
        var head: [Substring] = []
        var exports: [Substring] = []
        for line in lines(of: entry) {
            if line.hasPrefix("export {"), let end = line.firstIndex(of: "}") {
                exports.append("\(line[...end]);")
            } else {
                head.append(line)
            }
        }
        var joined = trimmed(head)
        for part in parts {
            joined.append("")
            joined += trimmed(
                lines(of: part).filter { !$0.hasPrefix("import ") }
                    .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 })
        }
        joined.append("")
        joined += exports
        return Array((joined.joined(separator: "\n") + "\n").utf8)
    }

    private static func lines(of text: [UInt8]) -> [Substring] {
        String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func trimmed(_ lines: [Substring]) -> [Substring] {
        var lines = lines[...]
        while lines.last?.isEmpty == true { lines.removeLast() }
        return Array(lines)
    }
}
