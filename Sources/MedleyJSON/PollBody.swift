import JSONText
package import MedleyCore

/// The body of a poll of many collections: `{"since":{"a":"R1","b":null},"wait":25,"reset":"inline"}`.
package struct PollBody: Sendable {
    /// What the client holds of each collection, in its order; `nil` for nothing.
    package var since: [(collection: String, revision: Revision?)] = []
    /// For how many seconds the request may be held.
    package var wait: Double?
    /// Whether what cannot be told is answered with a reset instead of a problem.
    package var resetsInline = false

    /// Reads a body.
    package init(_ bytes: [UInt8]) throws(DecodingProblem) {
        let body = try DocumentReader.read(bytes, makeID: { .random() }) { reader throws(DecodingProblem) in
            try reader.beginObject("the body must be an object with since")
            var body = PollBody()
            var hasSince = false
            while let name = try reader.nextMember() {
                let text = name.string
                try reader.at(.member(text)) { reader throws(DecodingProblem) in
                    switch text {
                    case "since":
                        hasSince = true
                        body.since = try reader.revisionsByCollection()
                    case "wait": body.wait = try reader.seconds()
                    case "reset":
                        guard try reader.stringIfAny()?.string == "inline" else {
                            throw reader.problem(.invalidChange, "reset can only be \"inline\"")
                        }
                        body.resetsInline = true
                    default:
                        throw reader.problem(.invalidChange, "the body can have since, wait and reset only")
                    }
                }
            }
            if !hasSince { throw reader.problem(.invalidChange, "the body must have since") }
            return body
        }
        self = body
    }

    private init() {}
}

extension DocumentReader {
    fileprivate mutating func revisionsByCollection() throws(DecodingProblem) -> [(
        collection: String, revision: Revision?
    )] {
        try beginObject("since must be an object with a revision for each collection")
        var revisions: [(collection: String, revision: Revision?)] = []
        while let name = try nextMember() {
            let collection = name.string
            let revision = try at(.member(collection)) { reader throws(DecodingProblem) -> Revision? in
                guard try reader.peek() == .null else { return try reader.revision() }
                try reader.skipValue()
                return nil
            }
            revisions.append((collection, revision))
        }
        return revisions
    }

    fileprivate mutating func seconds() throws(DecodingProblem) -> Double {
        let isNumber = try peek() == .number
        var text: [UInt8] = []
        try copyValue(to: &text)
        guard isNumber, let seconds = Double(String(decoding: text, as: UTF8.self)), seconds >= 0, seconds.isFinite
        else {
            throw problem(.invalidChange, "wait must be a number of seconds")
        }
        return seconds
    }
}
