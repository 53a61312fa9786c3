/// When each of many has its turn to end, spread evenly over a time; time is passed in, in nanoseconds.
struct DrainSchedule {
    private let count: Int
    private let start: UInt64
    private let span: UInt64
    private var told = 0

    /// The k-th of `count`, counted from 0, has its turn `k / count` of `span` after `start`.
    init(count: Int, start: UInt64, span: UInt64) {
        self.count = count
        self.start = start
        self.span = span
    }

    /// Whether all have had their turn.
    var isDone: Bool { told == count }

    /// Those whose turn has come since the last call.
    mutating func due(now: UInt64) -> Range<Int> {
        let elapsed = now &- start
        var due = count
        if elapsed < span {
            let share = Double(elapsed) / Double(span)
            due = min(count, Int(share * Double(count)) + 1)
        }
        defer { told = max(told, due) }
        return told..<max(told, due)
    }
}
