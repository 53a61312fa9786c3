import MedleyJSON

/// A length as playlists state it: seconds, or a negative number where nobody knows.
enum PlaylistDuration {
    /// The value for the member `duration`; `nil` if there is none or it is unknown. What is no length at all stays
    /// text, which the mapper keeps beside the member.
    static func value(_ text: [UInt8]) -> ImportedRecord.Value? {
        let text = text.trimmed
        guard let first = text.first else { return nil }
        let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        var number = Array(isSigned ? text[1...] : text[...])
        if number.first == UInt8(ascii: ".") { number.insert(UInt8(ascii: "0"), at: 0) }
        if number.last == UInt8(ascii: ".") { number.removeLast() }
        guard let seconds = KnownMember.seconds(number) else { return .text(text) }
        return first == UInt8(ascii: "-") ? nil : .json(seconds)
    }

    /// Milliseconds for a number of seconds as JSON writes it, rounded; `nil` if that is out of all bounds.
    static func milliseconds(seconds text: [UInt8]) -> Int? {
        guard let value = Double(String(decoding: text, as: UTF8.self)), value >= 0, value < 1e12 else { return nil }
        return Int((value * 1000).rounded())
    }
}
