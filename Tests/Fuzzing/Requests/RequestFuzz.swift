import FuzzSupport
import HTTPCore

/// What a parser makes of bytes, with the pieces of a body joined.
private enum Found: Equatable {
    case head(String, HeaderFields, BodyFraming)
    case body([UInt8])
    case end
    case refused(Refusal)
}

/// Whatever split the bytes come in, they are the same requests or the same refusal.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe FuzzInput.bytes(start, count)
    check(bytes, RequestLimits(), bodyLimit: 64)
    var small = RequestLimits()
    small.requestLine = 24
    small.headerBytes = 96
    small.headerCount = 4
    small.chunkLine = 8
    small.chunkExtensions = 12
    small.body = 20
    check(bytes, small, bodyLimit: 10)
    return 0
}

private func check(_ bytes: [UInt8], _ limits: RequestLimits, bodyLimit: Int) {
    let whole = parse(bytes, limits, bodyLimit) { $0 }
    FuzzInput.require(parse(bytes, limits, bodyLimit) { _ in 1 } == whole, "another outcome byte by byte")
    var hash = ByteHash(bytes)
    FuzzInput.require(
        parse(bytes, limits, bodyLimit) { _ in 1 + hash.next(below: 9) } == whole, "another outcome in pieces")
    for case .head(_, let fields, _) in whole { readFields(fields) }
}

/// Gives a parser the bytes in pieces, of a size that is asked for with the number of bytes left.
private func parse(
    _ bytes: [UInt8], _ limits: RequestLimits, _ bodyLimit: Int, size: (Int) -> Int
) -> [Found] {
    var parser = RequestParser(limits: limits, peer: "127.0.0.1:1")
    var found: [Found] = []
    var kept: [UInt8] = []
    var given = 0
    while given < bytes.count {
        let piece = min(bytes.count - given, size(bytes.count - given))
        kept += bytes[given..<given + piece]
        given += piece
        var position = 0
        feeding: while true {
            let before = position
            let step = parser.next(kept.span, at: &position)
            FuzzInput.require(position >= before && position <= kept.count, "the position leaves the bytes")
            switch step {
            case .needMore: break feeding
            case .head(let head):
                readTarget(head)
                found.append(.head(text(head), head.headers, head.framing))
                if let refusal = parser.limitBody(to: bodyLimit) { return found + [.refused(refusal)] }
            case .body(let range):
                FuzzInput.require(
                    range.lowerBound >= before && range.upperBound == position && !range.isEmpty,
                    "a piece that is not the last of what was passed")
                if case .body(let first) = found.last {
                    found[found.count - 1] = .body(first + kept[range])
                } else {
                    found.append(.body(Array(kept[range])))
                }
            case .end: found.append(.end)
            case .refused(let refusal):
                FuzzInput.require((400...599).contains(refusal.status), "a refusal without an error's status")
                return found + [.refused(refusal)]
            }
        }
        kept.removeFirst(position)
    }
    return found
}

private func text(_ head: RequestHead) -> String {
    "\(head.method) \(head.path) \(head.query ?? "-") \(head.isHTTP10) \(head.keepsAlive) \(head.expectsContinue)"
}

/// What the service reads of a target.
private func readTarget(_ head: RequestHead) {
    FuzzInput.require(head.path == "*" || head.path.utf8.first == UInt8(ascii: "/"), "a path without a slash")
    if let path = PathSegments(head.path) { for segment in path.segments { _ = segment.utf8.count } }
    for item in QueryItems(head.query)?.items ?? [] {
        guard let value = item.value else { continue }
        FuzzInput.require(PercentEncoding.decode(PercentEncoding.encode(value)) == value, "a value is not kept")
        FuzzInput.require(item.list != nil, "a value that can be decoded, but not its elements")
    }
}

/// What the service reads of header fields.
private func readFields(_ fields: HeaderFields) {
    for field in fields.fields {
        let values = [field.value]
        if let tags = EntityTagList(values) {
            for tag in tags.tags {
                FuzzInput.require(EntityTagList([tag.text])?.tags == [tag], "a tag is not read as it is written")
            }
        }
        _ = MediaType(field.value)
        _ = Preference(values).returnsMinimal
        _ = Negotiation.mediaType(of: ["application/json", "text/event-stream"], accept: values)
        _ = Negotiation.coding(of: ["gzip", "identity"], acceptEncoding: values)
    }
}
