/// A date as feeds write it: RFC 822, section 5, with a year of four digits.
enum FeedDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date for one by RFC 3339, which must be valid: `Mon, 09 Nov 1970 00:00:00 GMT`. The zone stays what it is;
    /// fractions go, and a leap second counts as the one before.
    static func text(_ timestamp: [UInt8]) -> [UInt8]? {
        func number(_ start: Int, _ count: Int) -> Int? {
            guard start + count <= timestamp.count else { return nil }
            return Int(String(decoding: timestamp[start..<(start + count)], as: UTF8.self))
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), (1...12).contains(month), year >= 0
        else { return nil }
        let zone = timestamp[19...].drop { $0 == UInt8(ascii: ".") || $0.isDigit }
        let offset = String(decoding: zone.filter { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let weekday = days[weekday(year, month, day)]
        let date = "\(weekday), \(two(day)) \(months[month - 1]) \("\(10_000 + year)".dropFirst())"
        let time = "\(two(hour)):\(two(minute)):\(two(min(second, 59)))"
        return Array("\(date) \(time) \(offset.uppercased() == "Z" ? "GMT" : offset)".utf8)
    }

    /// The day of the week in the Gregorian calendar, 0 for Sunday.
    private static func weekday(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1]
        // 400 years later is the same weekday; it keeps the year before 0 from being negative.
        let year = (month < 3 ? year - 1 : year) + 400
        return (year + year / 4 - year / 100 + year / 400 + shift + day) % 7
    }
}
