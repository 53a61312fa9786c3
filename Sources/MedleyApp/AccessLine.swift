import HTTPCore
package import HTTPServer

/// A line of the access log. It holds nothing of a query, a header field but the request's id, or a body; tokens that somebody
/// put into a path or an id are cut off behind the part that is no secret.
package enum AccessLine {
    /// Time, client, token, method, path, status, bytes, milliseconds, `done` or `cut`, id, with one blank between them. What is
    /// not known is `-`.
    package static func appendPlain(
        _ record: RequestRecord, at milliseconds: Int, _ time: inout LogTime, to line: inout [UInt8]
    ) {
        let blank = UInt8(ascii: " ")
        time.append(milliseconds, to: &line)
        line.append(blank)
        LogField.appendPlain(client(of: record).utf8Span.span, to: &line)
        line.append(blank)
        LogField.appendPlain((record.caller ?? "").utf8Span.span, to: &line)
        line.append(blank)
        LogField.appendPlain(record.method.utf8Span.span, most: mostMethodBytes, to: &line)
        line.append(blank)
        LogField.appendPlain(record.path.utf8Span.span, to: &line)
        line.append(blank)
        if record.status == 0 { line.append("-") } else { line.append(decimal: record.status) }
        line.append(blank)
        line.append(decimal: record.bodyBytes)
        line.append(blank)
        append(milliseconds: record.nanoseconds, to: &line)
        line.append(record.isComplete ? " done " : " cut ")
        if let text = record.id.taken {
            LogField.appendPlain(text.utf8Span.span, to: &line)
        } else {
            record.id.append(to: &line)
        }
        line.append("\n")
    }

    /// An object with the members `time`, `client`, `token`, `method`, `path`, `status`, `bytes`, `ms`, `complete` and `id`.
    /// What is not known is null.
    package static func appendJSON(
        _ record: RequestRecord, at milliseconds: Int, _ time: inout LogTime, to line: inout [UInt8]
    ) {
        line.append("{\"time\":\"")
        time.append(milliseconds, to: &line)
        line.append("\",\"client\":")
        LogField.appendJSON(client(of: record).utf8Span.span, to: &line)
        line.append(",\"token\":")
        LogField.appendJSON((record.caller ?? "").utf8Span.span, to: &line)
        line.append(",\"method\":")
        LogField.appendJSON(record.method.utf8Span.span, most: mostMethodBytes, to: &line)
        line.append(",\"path\":")
        LogField.appendJSON(record.path.utf8Span.span, to: &line)
        line.append(",\"status\":")
        if record.status == 0 { line.append("null") } else { line.append(decimal: record.status) }
        line.append(",\"bytes\":")
        line.append(decimal: record.bodyBytes)
        line.append(",\"ms\":")
        append(milliseconds: record.nanoseconds, to: &line)
        line.append(record.isComplete ? ",\"complete\":true,\"id\":" : ",\"complete\":false,\"id\":")
        if let text = record.id.taken {
            LogField.appendJSON(text.utf8Span.span, to: &line)
        } else {
            line.append("\"")
            record.id.append(to: &line)
            line.append("\"")
        }
        line.append("}\n")
    }

    /// The client's address: what a trusted proxy says, else the peer's.
    private static func client(of record: RequestRecord) -> Substring {
        record.forwardedFor.map { Substring($0.description) } ?? ClientAddress.text(ofPeer: record.peer)
    }

    /// A method is anything that a client makes up; those that there are have at most 7 letters.
    private static let mostMethodBytes = 32

    /// With three places behind the point.
    private static func append(milliseconds nanoseconds: UInt64, to line: inout [UInt8]) {
        let microseconds = Int(clamping: nanoseconds / 1_000)
        line.append(decimal: microseconds / 1_000)
        let rest = UInt8(ascii: "0")
        line.append(UInt8(ascii: "."))
        line.append(rest + UInt8(microseconds / 100 % 10))
        line.append(rest + UInt8(microseconds / 10 % 10))
        line.append(rest + UInt8(microseconds % 10))
    }
}
