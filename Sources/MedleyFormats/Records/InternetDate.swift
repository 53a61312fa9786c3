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
        var scanner = TextScanner(text)
        guard let year = scanner.number(4...4), scanner.skip("-"), let month = scanner.number(1...2),
            scanner.skip("-"), let day = scanner.number(1...2)
        else { return false }
        (self.year, self.month, self.day) = (year, month, day)
        if scanner.isAtEnd { return true }
        guard scanner.skip("T") || scanner.skip("t") || scanner.skipAll(\.isJSONSpace) > 0 else { return false }
        guard readTime(&scanner) else { return false }
        scanner.skipAll(\.isJSONSpace)
        return readZone(scanner.remainder)
    }

    private mutating func readRFC822(_ text: String) -> Bool {
        var words = Self.words(text)
        if let first = words.first, Self.month(first) == nil, first.utf8.allSatisfy({ !$0.isDigit }) {
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
        var scanner = TextScanner(words[1])
        guard readTime(&scanner), scanner.isAtEnd else { return false }
        return readZone(Substring(words[2...].joined()))
    }

    /// The words of a date, without notes in parentheses; `01-Feb-2018` is three.
    private static func words(_ text: String) -> [Substring] {
        var depth = 0
        let plain = text.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "(": depth += 1
            case ")":
                depth = max(0, depth - 1)
                return " "
            default: break
            }
            return depth > 0 || scalar == "," || scalar.value <= 0x20 ? " " : Character(scalar)
        }
        var words = String(plain).split(separator: " ")
        for (index, word) in words.enumerated() {
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, month(parts[1]) != nil else { continue }
            words.replaceSubrange(index...index, with: parts)
            break
        }
        return words
    }

    /// `11:00`, `11:00:09`, `11:00:09.5`.
    private mutating func readTime(_ scanner: inout TextScanner) -> Bool {
        guard let hour = scanner.number(1...2), scanner.skip(":"), let minute = scanner.number(2...2) else {
            return false
        }
        (self.hour, self.minute) = (hour, minute)
        guard scanner.skip(":") else { return true }
        guard let second = scanner.number(1...2) else { return false }
        self.second = second
        fraction = scanner.fraction().map(String.init) ?? ""
        return true
    }

    /// `+0100`, `+01:00`, `+01`, `GMT+1`, a name, a military letter, or nothing.
    private mutating func readZone(_ text: Substring) -> Bool {
        let letters = text.prefix { $0.isASCII && $0.isLetter }
        let name = letters.uppercased()
        guard let base = Self.zones[name] ?? (name.count == 1 ? 0 : nil) else { return false }
        offset = base
        var scanner = TextScanner(text[letters.endIndex...])
        if scanner.isAtEnd { return true }
        let isBehind = scanner.skip("-")
        guard base == 0, isBehind || scanner.skip("+"), let digits = scanner.digits(1...4), let number = Int(digits)
        else { return false }
        switch digits.count {
        case 1, 2:
            let minutes = scanner.skip(":") ? scanner.number(2...2) : 0
            guard let minutes, minutes < 60 else { return false }
            offset = number * 60 + minutes
        default: offset = number / 100 * 60 + number % 100
        }
        if isBehind { offset = -offset }
        return scanner.isAtEnd && (digits.count < 3 || number % 100 < 60)
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
