/// Resolves prefixes to namespaces, and gives each namespace that matters the prefix it is known by.
///
/// Feeds bind prefixes as they like, misspell the namespaces and forget to declare them; so a name is compared by the
/// usual prefix, and a prefix that nobody declared stands for itself.
struct XMLNames {
    /// For each element that binds prefixes: its depth, and their usual prefixes, `nil` for a namespace unknown here.
    private var scopes: [(depth: Int, prefixes: [String: String?])] = []

    /// The prefix of elements in no namespace.
    private var bare = ""

    /// Enters an element; returns its name and its attributes by their usual names.
    mutating func enter(
        _ name: String, _ attributes: [String: String], depth: Int
    ) -> (name: String, attributes: [String: String]) {
        var own: [String: String?] = [:]
        var rest: [String: String] = [:]
        for (name, value) in attributes {
            if name == "xmlns" {
                own.updateValue(Self.usualPrefix(value), forKey: "")
            } else if name.hasPrefix("xmlns:") {
                own.updateValue(Self.usualPrefix(value), forKey: String(name.dropFirst(6)))
            } else {
                rest[name] = value
            }
        }
        if !own.isEmpty { scopes.append((depth, own)) }
        // A feed without a namespace is taken for the one format whose root has this name.
        if depth == 0, name == "feed", prefix(of: "") == nil { bare = "atom" }
        guard rest.keys.contains(where: { $0.contains(":") }) else { return (usual(name), rest) }
        var named: [String: String] = [:]
        for (name, value) in rest { named[name.contains(":") ? usual(name) : name] = value }
        return (usual(name), named)
    }

    /// Leaves the element at a depth.
    mutating func leave(depth: Int) {
        if let last = scopes.last, last.depth == depth { scopes.removeLast() }
    }

    private func usual(_ name: String) -> String {
        if scopes.isEmpty, bare.isEmpty { return name }
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (written, local) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", name)
        let prefix = prefix(of: written) ?? (written.isEmpty ? bare : written)
        return prefix.isEmpty ? local : "\(prefix):\(local)"
    }

    private func prefix(of written: String) -> String? {
        for scope in scopes.reversed() {
            if let bound = scope.prefixes[written] { return bound }
        }
        return nil
    }

    /// The usual prefix for a namespace, if it is one of those known here.
    private static func usualPrefix(_ uri: String) -> String? {
        var key = uri.trimmed.lowercased()[...]
        for scheme in ["http://", "https://"] where key.hasPrefix(scheme) { key = key.dropFirst(scheme.count) }
        while key.last == "/" || key.last == "#" { key.removeLast() }
        return prefixes[String(key)]
    }

    private static let prefixes = [
        "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
        "search.yahoo.com/mrss": "media",
        "purl.org/rss/1.0/modules/content": "content",
        "purl.org/dc/elements/1.1": "dc",
        "purl.org/dc/terms": "dcterms",
        "www.w3.org/2005/atom": "atom",
        "purl.org/atom/ns": "atom",
        "www.w3.org/1999/xhtml": "xhtml",
        "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
        "podcastindex.org/namespace/1.0": "podcast",
        "www.google.com/schemas/play-podcasts/1.0": "googleplay",
        ItemExtension.application: "medley",
        // Formats whose elements are known by their bare names.
        "xspf.org/ns/0": "",
        "purl.org/rss/1.0": "",
        "my.netscape.com/rdf/simple/0.9": "",
        "backend.userland.com/rss2": "",
    ]
}
