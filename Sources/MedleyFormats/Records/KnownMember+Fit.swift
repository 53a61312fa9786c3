import JSONText
import MedleyJSON

// How a file's value is brought to the kind that a known member must have.
extension KnownMember {
    /// What becomes of a value.
    enum Fit: Equatable {
        /// It is left out: null.
        case absent
        /// It fits, as this JSON text.
        case value([UInt8])
        /// It cannot become what the member has to be.
        case unfit
    }

    /// Brings a value to the member's kind: numbers and booleans become text where text is due, `3:45` and `PT3M45S` become
    /// 225 where seconds are, and `2018-02-01` or a date by RFC 822 one by RFC 3339.
    func fit(_ value: ImportedRecord.Value) -> Fit {
        let scalar = value.scalar
        if scalar == .null { return .absent }
        switch self {
        case .title, .artist, .album, .creator, .description:
            switch value {
            case .json(let text) where text.first == UInt8(ascii: "\""): return .value(text)
            default: return scalar.text.map { .value($0.jsonString) } ?? .unfit
            }
        case .url, .artworkURL:
            return trimmed(value, scalar)
        case .publishedAt:
            let fit = trimmed(value, scalar)
            guard fit == .unfit, case .string(let text) = scalar,
                let date = InternetDate(String(decoding: text, as: UTF8.self))
            else { return fit }
            let json = Array(date.text.utf8).jsonString
            return accepts(json[...]) ? .value(json) : .unfit
        case .duration:
            if case .number(let text) = scalar { return accepts(text[...]) ? .value(text) : .unfit }
            guard case .string(let text) = scalar,
                let seconds = MediaDuration.seconds(String(decoding: text, as: UTF8.self))
            else { return .unfit }
            return .value(Array(seconds.utf8))
        }
    }

    /// A string as it is, if that fits, else without the white space around it.
    private func trimmed(_ value: ImportedRecord.Value, _ scalar: Scalar) -> Fit {
        guard case .string(let text) = scalar else { return .unfit }
        if case .json(let json) = value, accepts(json[...]) { return .value(json) }
        let trimmed = text.trimmed.jsonString
        return accepts(trimmed[...]) ? .value(trimmed) : .unfit
    }

    /// `225`, `225.5`, `3:45` or `1:02:03.5` as a JSON number of seconds.
    static func seconds(_ text: [UInt8]) -> [UInt8]? {
        if let first = text.first, first.isDigit, text.isJSONNumber { return text }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last else { return nil }
        let pieces = last.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = pieces.count == 2 ? pieces[1] : []
        if pieces.count == 2, fraction.isEmpty || !fraction.allSatisfy(\.isDigit) { return nil }
        var total = 0
        for (index, part) in (parts.dropLast() + [pieces[0]]).enumerated() {
            guard (1...9).contains(part.count), part.allSatisfy(\.isDigit) else { return nil }
            let number = part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            if index > 0, number > 59 { return nil }
            total = total * 60 + number
        }
        return Array("\(total)".utf8) + (pieces.count == 2 ? [UInt8(ascii: ".")] + fraction : [])
    }
}
