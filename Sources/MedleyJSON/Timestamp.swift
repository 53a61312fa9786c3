/// The date and time form of RFC 3339.
enum Timestamp {
    /// Whether bytes are an RFC 3339 `date-time` of a day that the calendar has. A leap second is accepted where one
    /// can be: at 23:59:60 UTC.
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = Reader(rest: bytes)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), reader.skip("-"),
            let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t"),
            let hour = reader.number(digits: 2), reader.skip(":"),
            let minute = reader.number(digits: 2), reader.skip(":"),
            let second = reader.number(digits: 2)
        else { return false }
        if reader.skip(".") {
            guard reader.number(digits: 1) != nil else { return false }
            while reader.number(digits: 1) != nil {}
        }
        guard let offset = reader.offset(), reader.rest.isEmpty else { return false }
        guard (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60 else {
            return false
        }
        let minuteInUTC = (hour * 60 + minute - offset + 2 * 1440) % 1440
        return second < 60 || second == 60 && minuteInUTC == 1439
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func number(digits: Int) -> Int? {
            guard rest.count >= digits else { return nil }
            var value = 0
            for byte in rest.prefix(digits) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(digits)
            return value
        }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// The minutes that local time is ahead of UTC.
        mutating func offset() -> Int? {
            if skip("Z") || skip("z") { return 0 }
            let isAhead = skip("+")
            guard isAhead || skip("-"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
                hours < 24, minutes < 60
            else { return nil }
            return (isAhead ? 1 : -1) * (hours * 60 + minutes)
        }
    }
}
