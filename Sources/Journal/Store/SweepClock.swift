/// Tells whether the system's clock may be trusted to say what is old, so that one that runs ahead, if only for a moment,
/// does not have history and answers deleted.
///
/// What is younger than the store's newest stamp and what has passed on the monotonic clock since allow, plus a tolerance,
/// is not believed: nothing is to be deleted. A clock that was doubted is trusted once it has kept pace with the monotonic
/// one for a day, or when a restart finds edits that were stamped by it.
struct SweepClock {
    /// What both clocks said at one moment.
    struct Reading {
        /// The system's time in milliseconds since 1970.
        let wall: Int64
        /// The time since some moment in the past, the machine's sleep included, in seconds.
        let monotonic: Double

        /// By how many seconds the system's clock has moved more than the monotonic one.
        func lead(over earlier: Reading) -> Double {
            (Double(wall) - Double(earlier.wall)) / 1000 - (monotonic - earlier.monotonic)
        }
    }

    /// What is thought of a reading.
    enum Verdict: Equatable {
        case trusted
        /// By so many seconds the clock is ahead; `isNew` if it was not at the last look, or otherwise.
        case ahead(seconds: Double, isNew: Bool)
    }

    /// How far ahead the clock may move between two looks, in seconds.
    static let tolerance: Double = 60 * 60
    /// How far ahead of the newest stamp it may be when a store is opened, in seconds: most stores rest for a while.
    static let openingTolerance: Double = 24 * 60 * 60
    /// For how long a doubted clock has to keep pace, in seconds.
    static let probation: Double = 24 * 60 * 60

    private var trusted: Reading
    private var doubted: Reading?
    private var tolerance = openingTolerance

    /// A clock for a store that was just opened.
    ///
    /// - Parameter newestStamp: the time of its newest record or answer in milliseconds since 1970; `nil` if it has none.
    init(newestStamp: Int64?, _ reading: Reading) {
        trusted = Reading(wall: newestStamp ?? reading.wall, monotonic: reading.monotonic)
    }

    /// Judges a reading; the next is judged by it.
    mutating func judge(_ reading: Reading) -> Verdict {
        let lead = reading.lead(over: trusted)
        // One that is behind deletes too little, which the next look makes good.
        if lead <= tolerance {
            trust(reading)
            return .trusted
        }
        if let doubted, abs(reading.lead(over: doubted)) <= Self.tolerance {
            guard reading.monotonic - doubted.monotonic >= Self.probation else {
                return .ahead(seconds: lead, isNew: false)
            }
            trust(reading)
            return .trusted
        }
        doubted = reading
        return .ahead(seconds: lead, isNew: true)
    }

    private mutating func trust(_ reading: Reading) {
        trusted = reading
        doubted = nil
        tolerance = Self.tolerance
    }
}
