import MedleyJSON

/// Durations in the ways that files write them, as JSON numbers of seconds.
enum MediaDuration {
    /// Seconds out of `2047`, `34:07`, `1:02:03.5`, `00:90:00` or `PT1H2M3.5S`; `nil` for anything else.
    static func seconds(_ text: String) -> String? {
        let text = text.trimmed
        if let seconds = KnownMember.seconds(Array(text.utf8)) { return String(decoding: seconds, as: UTF8.self) }
        return iso(text) ?? overflowing(text)
    }

    /// Seconds out of whole milliseconds, exactly: `225500` is `225.5`.
    static func seconds(milliseconds text: String) -> String? {
        let digits = text.trimmed.drop { $0 == "0" }
        guard !text.trimmed.isEmpty, digits.count <= 15, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        var fraction = padded.suffix(3)
        while fraction.last == "0" { fraction.removeLast() }
        return padded.dropLast(3) + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    /// Minutes or seconds above 59 behind hours or minutes: what programs write that do not carry.
    private static func overflowing(_ text: String) -> String? {
        guard let match = text.wholeMatch(of: /(?:(\d{1,6}):)?(\d{1,6}):(\d{1,6})(\.\d{1,12})?/.asciiOnlyDigits()),
            let minutes = Int(match.2), let seconds = Int(match.3)
        else { return nil }
        let hours = match.1.flatMap { Int($0) } ?? 0
        return "\((hours * 60 + minutes) * 60 + seconds)\(match.4 ?? "")"
    }

    private static func iso(_ text: String) -> String? {
        let form = /P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})(\.\d{1,12})?S)?)?/.asciiOnlyDigits()
        guard text.utf8.count > 2, let match = text.wholeMatch(of: form) else { return nil }
        let numbers = [match.1, match.2, match.3, match.4].map { $0.flatMap { Int($0) } ?? 0 }
        return "\(((numbers[0] * 24 + numbers[1]) * 60 + numbers[2]) * 60 + numbers[3])\(match.5 ?? "")"
    }
}
