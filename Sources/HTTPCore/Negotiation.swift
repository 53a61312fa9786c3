/// Chooses what a client takes (RFC 9110, 12). Weights are thousandths; elements that are malformed are passed over.
package enum Negotiation {
    /// The media type among `offers` (`type/subtype`, in lower case) that the client likes best; of equals, the first.
    /// `nil` if it takes none: 406. Without a field, the first offer.
    package static func mediaType(of offers: [String], accept values: [String]) -> String? {
        guard !values.isEmpty else { return offers.first }
        let ranges = values.flatMap(elements)
        guard !ranges.isEmpty else { return offers.first }
        return best(offers) { offer in
            let kind = "\(offer.prefix { $0 != "/" })/*"
            for name in [offer, kind, "*/*"] {
                if let weight = ranges.filter({ $0.name == name }).map(\.weight).max() { return weight }
            }
            return 0
        }
    }

    /// The content coding among `offers` that the client likes best, `identity` included; of equals, the first of the
    /// offers. `nil` if even `identity` is refused. Without a field, `identity`.
    package static func coding(of offers: [String], acceptEncoding values: [String]) -> String? {
        guard !values.isEmpty else { return "identity" }
        let codings = values.flatMap(elements)
        func weight(_ name: String) -> Int? { codings.first { $0.name == name }?.weight }
        let chosen = best(offers) { weight($0) ?? weight("*") ?? 0 }
        // What is not named is less welcome than what is, but `identity` is refused by name or `*` only.
        let named = weight("identity")
        let identity = named ?? (weight("*") == 0 ? 0 : 1)
        let liked = chosen.map { weight($0) ?? weight("*") ?? 0 } ?? 0
        if liked == 0 && identity == 0 { return nil }
        return liked >= identity ? chosen : "identity"
    }

    private static func best(_ offers: [String], _ weight: (String) -> Int) -> String? {
        var best: (offer: String, weight: Int)?
        for offer in offers {
            let weight = weight(offer)
            if weight > best?.weight ?? 0 { best = (offer, weight) }
        }
        return best?.offer
    }

    /// The elements of a list: a token or a media range in lower case, and the weight of its `q`.
    private static func elements(_ value: String) -> [(name: String, weight: Int)] {
        var scanner = FieldScanner(value)
        var elements: [(name: String, weight: Int)] = []
        repeat {
            scanner.skipBlanks()
            guard var name = scanner.token() else { continue }
            if scanner.take("/") {
                guard let subtype = scanner.token() else { continue }
                name += "/" + subtype
            }
            guard let parameters = scanner.parameters() else { continue }
            let text = parameters.first { $0.name == "q" }?.value ?? "1"
            guard let weight = weight(text) else { continue }
            elements.append((name.lowercased(), weight))
        } while scanner.skipToNextElement()
        return elements
    }

    /// `0`, `1`, or either with a point and up to three digits, at most 1, in thousandths.
    private static func weight(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), bytes.count <= 5 else {
            return nil
        }
        var weight = Int(first - UInt8(ascii: "0")) * 1_000
        guard bytes.count > 1 else { return weight }
        guard bytes[1] == UInt8(ascii: ".") else { return nil }
        var unit = 100
        for byte in bytes[2...] {
            guard ByteClass.isDigit(byte) else { return nil }
            weight += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return weight <= 1_000 ? weight : nil
    }
}
