import HTTPCore

/// What a parser made of some bytes, the body's pieces joined: equal for every way to split the bytes.
enum ParserEvent: Equatable, CustomStringConvertible {
    case head(method: String, path: String, query: String?, fields: HeaderFields, framing: BodyFraming, flags: String)
    case body([UInt8])
    case end
    case refused(Refusal)

    var description: String {
        switch self {
        case .head(let method, let path, let query, _, let framing, let flags):
            "head \(method) \(path) \(query ?? "-") \(framing) \(flags)"
        case .body(let bytes): "body \(String(decoding: bytes, as: UTF8.self))"
        case .end: "end"
        case .refused(let refusal): "refused \(refusal.status) \(refusal.detail)"
        }
    }

    /// Gives a parser the bytes in pieces that end at the cuts, keeping what it does not take, as a connection does.
    static func run(
        _ bytes: [UInt8], cuts: [Int] = [], limits: RequestLimits = RequestLimits(), bodyLimit: Int = 1_000_000
    ) -> [ParserEvent] {
        var parser = RequestParser(limits: limits)
        var events: [ParserEvent] = []
        var kept: [UInt8] = []
        var start = 0
        for cut in cuts + [bytes.count] {
            kept += bytes[start..<cut]
            start = cut
            var position = 0
            feeding: while true {
                switch parser.next(kept.span, at: &position) {
                case .needMore: break feeding
                case .head(let head):
                    let flags =
                        "\(head.isHTTP10 ? "1.0" : "1.1")\(head.keepsAlive ? " keeps" : "")"
                        + (head.expectsContinue ? " expects" : "")
                    events.append(
                        .head(
                            method: head.method, path: head.path, query: head.query, fields: head.headers,
                            framing: head.framing, flags: flags))
                    if let refusal = parser.limitBody(to: bodyLimit) {
                        return events + [.refused(refusal)]
                    }
                case .body(let range):
                    if case .body(let before) = events.last {
                        events[events.count - 1] = .body(before + kept[range])
                    } else {
                        events.append(.body(Array(kept[range])))
                    }
                case .end: events.append(.end)
                case .refused(let refusal): return events + [.refused(refusal)]
                }
            }
            kept.removeFirst(position)
        }
        return events
    }
}

/// A small generator with a seed that can be printed and given again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
