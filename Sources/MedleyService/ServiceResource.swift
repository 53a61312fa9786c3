import HTTPCore
import JSONText
import MedleyCore

/// `GET /v1`: what the service is, the limits in force, and what the caller may do.
enum ServiceResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        let configuration = call.service.configuration
        let limits = configuration.limits
        var text = Array("{\"name\":\"medley\",\"version\":".utf8)
        JSONWriter.append(string: configuration.version, to: &text)
        JSONWriter.append(token: ",\"limits\":{\"bodyBytes\":", to: &text)
        JSONWriter.append(integer: limits.bodyBytes, to: &text)
        JSONWriter.append(token: ",\"headBytes\":", to: &text)
        JSONWriter.append(integer: limits.headBytes, to: &text)
        JSONWriter.append(token: ",\"requestSeconds\":", to: &text)
        text.append(contentsOf: MetricsText.number(limits.requestSeconds).utf8)
        JSONWriter.append(token: ",\"pageItems\":", to: &text)
        JSONWriter.append(integer: limits.pageItems, to: &text)
        JSONWriter.append(token: ",\"types\":", to: &text)
        JSONWriter.append(integer: Snapshot.maximumTypes, to: &text)
        JSONWriter.append(token: ",\"modelBytes\":", to: &text)
        JSONWriter.append(integer: Snapshot.maximumModelByteCount, to: &text)
        JSONWriter.append(token: ",\"collectionBytes\":", to: &text)
        JSONWriter.append(integer: Snapshot.maximumByteCount, to: &text)
        JSONWriter.append(token: ",\"members\":", to: &text)
        JSONWriter.append(integer: Snapshot.maximumMembers, to: &text)
        JSONWriter.append(token: ",\"waiting\":", to: &text)
        JSONWriter.append(integer: limits.waiting, to: &text)
        JSONWriter.append(token: ",\"waitingPerAddress\":", to: &text)
        JSONWriter.append(integer: limits.waitingPerAddress, to: &text)
        JSONWriter.append(token: ",\"waitSeconds\":", to: &text)
        text.append(contentsOf: MetricsText.number(limits.waitSeconds).utf8)
        JSONWriter.append(token: ",\"followedCollections\":", to: &text)
        JSONWriter.append(integer: limits.followedCollections, to: &text)
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
