/// The labels that give siblings their order: 64-bit keys with room between neighbours, so that an insert seldom
/// touches another entry, and a place can be told from an entry alone on every snapshot (list labelling; Dietz 1982).
enum OrderLabel {
    /// The room left between neighbours where there is plenty.
    static let stride: UInt64 = 1 << 36

    /// `count` ascending labels strictly between two, or `nil` if they do not fit. `nil` bounds are open ends.
    static func labels(_ count: Int, after lower: UInt64?, before upper: UInt64?) -> [UInt64]? {
        precondition(count > 0)
        let number = UInt64(count)
        switch (lower, upper) {
        case (nil, nil):
            // In the middle, so that both ends can grow.
            let (span, overflowed) = stride.multipliedReportingOverflow(by: number)
            guard !overflowed, span < UInt64.max / 2 else { return spread(count, after: 0, before: UInt64.max) }
            let start = UInt64.max / 2 - span / 2
            return (1...number).map { start + $0 * stride }
        case (let lower?, nil):
            let room = UInt64.max - lower
            guard room / stride > number else { return spread(count, after: lower, before: UInt64.max) }
            return (1...number).map { lower + $0 * stride }
        case (nil, let upper?):
            guard upper / stride > number else { return spread(count, after: 0, before: upper) }
            return (1...number).map { upper - (number - $0 + 1) * stride }
        case (let lower?, let upper?):
            return spread(count, after: lower, before: upper)
        }
    }

    /// `count` labels evenly between two bounds, or `nil` if they do not fit.
    static func spread(_ count: Int, after lower: UInt64, before upper: UInt64) -> [UInt64]? {
        let step = (upper - lower) / (UInt64(count) + 1)
        guard step > 0 else { return nil }
        return (1...UInt64(count)).map { lower + $0 * step }
    }
}
