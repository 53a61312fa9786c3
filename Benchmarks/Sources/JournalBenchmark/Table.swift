import Glibc

/// What is printed: figures, and what is to be reached.
enum Table {
    static func begin(_ title: String) {
        let load = (try? Server.file("/proc/loadavg"))?.split(separator: " ").first.map(String.init) ?? "?"
        print("\n\(title) (load average \(load))")
    }

    /// A line; `isReached` is `nil` where a figure only explains others.
    static func line(_ name: String, _ value: String, _ goal: String = "", _ isReached: Bool? = nil) {
        let end = isReached.map { "to reach: \(goal); \($0 ? "reached" : "MISSED")" } ?? goal
        print("  " + padded(name, 50) + (end.isEmpty ? value : padded(value, 34) + end))
        fflush(nil)
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// A number with so many digits behind the point.
    static func number(_ value: Double, _ digits: Int = 1) -> String {
        guard value.isFinite else { return "-" }
        let scale = pow(10, Double(digits))
        let scaled = (value * scale).rounded() / scale
        return digits == 0 ? "\(Int(scaled))" : "\(scaled)"
    }
}
