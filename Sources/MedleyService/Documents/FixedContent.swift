import HTTPCore

/// Bytes that never change while the service runs, with all that is made of them made once.
struct FixedContent: Sendable {
    let plain: [UInt8]
    /// `nil` if they are too few for gzip.
    let gzipped: [UInt8]?
    /// What its entity tags begin with: a hash of the bytes, so that a new release is another tag.
    private let fingerprint: String

    /// O(bytes).
    init(_ bytes: [UInt8]) {
        plain = bytes
        gzipped = bytes.count >= Document.gzippedSize ? Document(bytes).gzipped : nil
        var fingerprint = Fingerprint()
        fingerprint.add(bytes)
        self.fingerprint = fingerprint.text
    }

    var plainTag: String { fingerprint }
    var gzipTag: String { "\(fingerprint);gzip" }
}

extension Call {
    /// An answer that is always the same: 304 if the client holds it.
    func answer(_ content: FixedContent, type: String) -> Response {
        var fields = HeaderFields()
        fields.add("Cache-Control", "no-cache")
        fields.add("Vary", "Accept-Encoding")
        if let known = EntityTagList(headers.values("If-None-Match")),
            let tag = [content.plainTag, content.gzipTag].first(where: known.matchesWeakly)
        {
            fields.add("ETag", EntityTag(tag).text)
            return Response(status: 304, headers: fields)
        }
        fields.add("Content-Type", type)
        if wantsGzip, let gzipped = content.gzipped {
            fields.add("ETag", EntityTag(content.gzipTag).text)
            fields.add("Content-Encoding", "gzip")
            return Response(status: 200, headers: fields, body: .bytes(gzipped))
        }
        fields.add("ETag", EntityTag(content.plainTag).text)
        return Response(status: 200, headers: fields, body: .bytes(content.plain))
    }
}
