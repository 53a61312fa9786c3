/// A line on a terminal that shows how far a file has been read.
struct ProgressBar {
    private static let width = 30

    private let total: Int
    private let isShown: Bool
    private let write: (String) -> Void
    private var drawn = ""

    /// Creates a bar for `total` bytes; 0 if that is not known, which shows the records alone.
    init(total: Int, isShown: Bool, write: @escaping (String) -> Void) {
        self.total = total
        self.isShown = isShown
        self.write = write
    }

    /// Draws the bar, unless it would look as it does.
    mutating func show(_ bytes: Int, records: Int) {
        guard isShown else { return }
        var text = "\(records) records"
        if total > 0 {
            let share = min(1, Double(bytes) / Double(total))
            let full = Int(share * Double(Self.width))
            let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.width - full)
            text = "[\(bar)] \(Int(share * 100))% \(text)"
        }
        guard text != drawn else { return }
        write("\r\u{1B}[K\(text)")
        drawn = text
    }

    /// Takes the bar away, so that other lines can be written.
    mutating func clear() {
        guard !drawn.isEmpty else { return }
        write("\r\u{1B}[K")
        drawn = ""
    }
}
