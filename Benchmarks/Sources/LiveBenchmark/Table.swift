import Glibc

/// What is printed: figures, and what is to be reached.
enum Table {
    static func begin(_ title: String) {
        let load = (try? file("/proc/loadavg"))?.split(separator: " ").first.map(String.init) ?? "?"
        print("\n\(title) (load average \(load))")
    }

    static func row(_ cells: String...) {
        print("  " + cells.enumerated().map { padded($1, $0 == 0 ? 44 : 14) }.joined())
        fflush(nil)
    }

    /// What is to be reached, and whether it was.
    static func goal(_ text: String, _ isReached: Bool) {
        print("  to reach: \(text): \(isReached ? "reached" : "MISSED")")
        fflush(nil)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// A number with so many digits behind the point.
    static func number(_ value: Double, _ digits: Int = 1) -> String {
        guard value.isFinite else { return "-" }
        let scale = pow(10, Double(digits))
        let scaled = (value * scale).rounded() / scale
        return digits == 0 ? "\(Int(scaled))" : "\(scaled)"
    }

    /// How many times the second the first is.
    static func ratio(_ value: Double, _ other: Double) -> String { other > 0 ? number(value / other, 2) + " x" : "-" }
}
