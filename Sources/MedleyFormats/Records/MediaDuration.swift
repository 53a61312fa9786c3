import MedleyJSON

/// Durations in the ways that files write them, as JSON numbers of seconds.
enum MediaDuration {
    /// Seconds out of `2047`, `34:07`, `1:02:03.5`, `00:90:00` or `PT1H2M3.5S`; `nil` for anything else.
    static func seconds(_ text: String) -> String? {
        let text = text.trimmed
        if let seconds = KnownMember.seconds(Array(text.utf8)) { return String(decoding: seconds, as: UTF8.self) }
        return iso(text) ?? overflowing(text)
    }

    /// Seconds out of whole milliseconds, exactly: `225500` is `225.5`; `nil` for what is no whole number.
    static func seconds(milliseconds text: [UInt8]) -> [UInt8]? {
        guard (1...18).contains(text.count), text.allSatisfy(\.isDigit),
            let value = Int(String(decoding: text, as: UTF8.self))
        else { return nil }
        var fraction = "\(1000 + value % 1000)".dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return Array((fraction.isEmpty ? "\(value / 1000)" : "\(value / 1000).\(fraction)").utf8)
    }

    /// Minutes or seconds above 59 behind hours or minutes: what programs write that do not carry.
    private static func overflowing(_ text: String) -> String? {
        var scanner = TextScanner(text)
        guard let first = scanner.number(1...6), scanner.skip(":"), let second = scanner.number(1...6) else {
            return nil
        }
        var seconds = first * 60 + second
        if scanner.skip(":") {
            guard let third = scanner.number(1...6) else { return nil }
            seconds = seconds * 60 + third
        }
        return ended(&scanner, seconds)
    }

    private static func ended(_ scanner: inout TextScanner, _ seconds: Int) -> String? {
        let fraction = scanner.fraction()
        return scanner.isAtEnd ? "\(seconds)" + (fraction.map { ".\($0)" } ?? "") : nil
    }

    /// `P1DT2H3M4.5S`, any of them left out.
    private static func iso(_ text: String) -> String? {
        var scanner = TextScanner(text)
        guard scanner.skip("P") else { return nil }
        var seconds = 0
        var isInTime = false
        var units: [(mark: Unicode.Scalar, seconds: Int)] = [("D", 86_400), ("H", 3600), ("M", 60), ("S", 1)]
        var hasAny = false
        while !scanner.isAtEnd {
            if !isInTime, scanner.skip("T") {
                isInTime = true
                units.removeAll { $0.mark == "D" }
            }
            guard let number = scanner.number(1...9) else { return nil }
            let fraction = scanner.fraction()
            guard let index = units.firstIndex(where: { scanner.skip($0.mark) }) else { return nil }
            let unit = units[index]
            guard unit.mark == "D" || isInTime, fraction == nil || unit.mark == "S" else { return nil }
            units.removeSubrange(...index)
            seconds += number * unit.seconds
            hasAny = true
            if let fraction { return scanner.isAtEnd ? "\(seconds).\(fraction)" : nil }
        }
        return hasAny ? "\(seconds)" : nil
    }
}
