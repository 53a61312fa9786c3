/// A date as HTTP writes it, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7), kept as long as its second lasts.
package struct HTTPDate: Sendable {
    private var second = Int.min
    private var text: [UInt8] = []

    /// Creates a date that has formatted nothing yet.
    package init() {}

    /// The date for whole seconds since 1970 (UTC), as bytes.
    package mutating func bytes(at second: Int) -> [UInt8] {
        if second != self.second {
            self.second = second
            text = Self.format(second)
        }
        return text
    }

    /// The date for whole seconds since 1970 (UTC), from year 1 to 9999.
    package static func format(_ second: Int) -> [UInt8] {
        let day = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
        let rest = second - day * 86_400
        // Days are counted in eras of 400 years that begin on 1 March, so that a leap day comes last.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let weekday = ((day + 4) % 7 + 7) % 7

        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(text: weekdays[weekday])
        text.append(", ")
        append(dayOfMonth, to: &text)
        text.append(" ")
        text.append(text: months[month - 1])
        text.append(" ")
        append(year / 100, to: &text)
        append(year % 100, to: &text)
        text.append(" ")
        append(rest / 3_600, to: &text)
        text.append(":")
        append(rest / 60 % 60, to: &text)
        text.append(":")
        append(rest % 60, to: &text)
        text.append(" GMT")
        return text
    }

    private static func append(_ number: Int, to text: inout [UInt8]) {
        if number < 10 { text.append("0") }
        text.append(decimal: number)
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
