import HTTPCore
import JSONText
import Journal

/// `GET /v1`: what the service is, the limits in force, and what the caller may do.
enum ServiceResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        let configuration = call.service.configuration
        var text = Array("{\"name\":\"medley\",\"version\":".utf8)
        JSONWriter.append(string: configuration.version, to: &text)
        JSONWriter.append(token: ",\"limits\":{", to: &text)
        for (position, limit) in configuration.limits.rows(call.service.committer.limits).enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            JSONWriter.append(string: limit.name, to: &text)
            text.append(UInt8(ascii: ":"))
            text.append(contentsOf: MetricsText.number(limit.value).utf8)
        }
        JSONWriter.append(token: "},\"formats\":[", to: &text)
        append(AnswerFormat.mediaTypes, to: &text)
        JSONWriter.append(token: "],", to: &text)
        appendPermissions(of: call.caller, to: &text)
        text.append(UInt8(ascii: "}"))
        return call.answer(Document(text))
    }

    /// `"permissions":[…],"collections":[…]`: what a caller may do, and the patterns of the collections to do it with.
    static func appendPermissions(of caller: Caller, to text: inout [UInt8]) {
        JSONWriter.append(token: "\"permissions\":[", to: &text)
        let rights = Right.allCases.filter { right in caller.grant.map { $0.right >= right } ?? false }
        append(rights.map(\.rawValue), to: &text)
        JSONWriter.append(token: "],\"collections\":[", to: &text)
        append(caller.grant?.collections.map(\.description) ?? [], to: &text)
        text.append(UInt8(ascii: "]"))
    }

    private static func append(_ texts: [String], to text: inout [UInt8]) {
        for (position, string) in texts.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            JSONWriter.append(string: string, to: &text)
        }
    }
}
