/// A point in time as feeds write it: RFC 822 in all the ways that are met with, or ISO 8601.
struct InternetDate: Hashable {
    private var year = 0
    private var month = 0
    private var day = 0
    private var hour = 0
    private var minute = 0
    private var second = 0
    /// Digits behind the second's point.
    private var fraction = ""
    /// The minutes that local time is ahead of UTC.
    private var offset = 0

    /// Reads `Thu, 01 Feb 2018 11:00:00 -0000` and the like: the weekday is not looked at; months in full or in three
    /// letters, before or behind the day; two-digit years (RFC 2822, section 4.3); seconds optional; zones as numbers,
    /// `GMT`, `UT`, `Z`, the North American and the commonest European names, or none, which is UTC; notes in
    /// parentheses. And ISO 8601: `2018-02-01T11:00:00Z`, a space for the `T`, `+0100`, or the day alone.
    init?(_ text: String) {
        let text = text.trimmed
        guard text.utf8.count <= 100 else { return nil }
        if !readISO(text), !readRFC822(text) { return nil }
        guard year >= 1, year <= 9999, (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60, abs(offset) < 24 * 60
        else { return nil }
    }

    /// The time by RFC 3339, with the offset that its source states.
    var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let years = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)"
        var text = "\(years)-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))"
        if !fraction.isEmpty { text += ".\(fraction)" }
        if offset == 0 { return text + "Z" }
        return text + (offset < 0 ? "-" : "+") + "\(two(abs(offset) / 60)):\(two(abs(offset) % 60))"
    }

    /// The seconds since the year 0 began, for comparing.
    var seconds: Int {
        let before = year - 1
        var days = before * 365 + before / 4 - before / 100 + before / 400
        for month in 1..<month { days += Self.days(in: month, of: year) }
        return (days + day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension InternetDate {
    private mutating func readISO(_ text: String) -> Bool {
        let form =
            /(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|\s+)(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?\s*(Z|z|[+-]\d\d:?\d\d|[+-]\d\d)?)?/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: form) else { return false }
        year = Int(match.1) ?? 0
        month = Int(match.2) ?? 0
        day = Int(match.3) ?? 0
        hour = match.4.flatMap { Int($0) } ?? 0
        minute = match.5.flatMap { Int($0) } ?? 0
        second = match.6.flatMap { Int($0) } ?? 0
        fraction = match.7.map(String.init) ?? ""
        if let zone = match.8 { return readZone(String(zone)) }
        return true
    }

    private mutating func readRFC822(_ text: String) -> Bool {
        var words = text.replacing(/\([^()]*\)/, with: " ").split { $0 == " " || $0 == "," || $0.isWhitespace }
        // `01-Feb-2018`, as some write it.
        if let index = words.firstIndex(where: { $0.contains(/^\d{1,2}-[A-Za-z]{3,9}-\d{2,4}$/) }) {
            words.replaceSubrange(index...index, with: words[index].split(separator: "-"))
        }
        if let first = words.first, Self.month(first) == nil, first.allSatisfy({ $0.isLetter || $0 == "." }) {
            words.removeFirst()
        }
        guard words.count >= 3 else { return false }
        let monthFirst = Self.month(words[0]) != nil
        guard let month = Self.month(words[monthFirst ? 0 : 1]), let day = Self.number(words[monthFirst ? 1 : 0], 1...2)
        else { return false }
        (self.month, self.day) = (month, day)
        words.removeFirst(2)
        // Some programs write the time before the year.
        if words.count >= 2, words[0].contains(":") {
            guard let index = words.firstIndex(where: { Self.number($0, 4...4) != nil }) else { return false }
            words.insert(words.remove(at: index), at: 0)
        }
        guard let written = Self.number(words[0], 2...4) else { return false }
        switch words[0].count {
        case 2: year = written + (written < 50 ? 2000 : 1900)
        case 3: year = written + 1900
        default: year = written
        }
        guard words.count > 1 else { return true }
        guard readTime(words[1]) else { return false }
        return readZone(words[2...].joined())
    }

    private mutating func readTime(_ word: Substring) -> Bool {
        guard let match = word.wholeMatch(of: /(\d\d?):(\d\d)(?::(\d\d?)(?:\.(\d{1,12}))?)?/.asciiOnlyDigits()) else {
            return false
        }
        hour = Int(match.1) ?? 24
        minute = Int(match.2) ?? 60
        second = match.3.flatMap { Int($0) } ?? 0
        fraction = match.4.map(String.init) ?? ""
        return true
    }

    /// `+0100`, `+01:00`, `GMT+1`, a name, a military letter, or nothing.
    private mutating func readZone(_ text: String) -> Bool {
        let name = text.prefix { $0.isASCII && $0.isLetter }.uppercased()
        let rest = text.dropFirst(name.count)
        guard let base = Self.zones[name] ?? (name.count == 1 ? 0 : nil) else { return false }
        offset = base
        guard !rest.isEmpty else { return true }
        guard base == 0, let match = rest.wholeMatch(of: /([+-])(\d\d?):?(\d\d)?/.asciiOnlyDigits()),
            let hours = Int(match.2), let minutes = match.3.map({ Int($0) }) ?? 0, minutes < 60
        else { return false }
        offset = (match.1 == "-" ? -1 : 1) * (hours * 60 + minutes)
        return true
    }

    private static func number(_ word: Substring, _ digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(word.count), word.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(word)
    }

    private static func month(_ word: Substring) -> Int? {
        let word = word.lowercased().filter { $0 != "." }
        guard word.count >= 3,
            let index = months.firstIndex(where: { $0.hasPrefix(word) || word == "sept" && $0 == "september" })
        else { return nil }
        return index + 1
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    private static let zones = [
        "": 0, "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420,
        "MDT": -360, "PST": -480, "PDT": -420, "WET": 0, "WEST": 60, "BST": 60, "CET": 60, "CEST": 120, "EET": 120,
        "EEST": 180,
    ]
}
