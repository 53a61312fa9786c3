import HTTPCore
import MedleyCore

extension Call {
    /// Whether the client likes a gzip body better than a plain one.
    var wantsGzip: Bool {
        Negotiation.coding(of: ["gzip"], acceptEncoding: headers.values("Accept-Encoding")) == "gzip"
    }

    /// An answer that does not depend on a revision.
    func answer(_ document: Document, type: String = RoutingTable.json, cache: String = "no-cache") -> Response {
        var fields = HeaderFields()
        fields.add("Content-Type", type)
        fields.add("Cache-Control", cache)
        let (body, isGzip) = document.body(gzip: wantsGzip)
        if isGzip { fields.add("Content-Encoding", "gzip") }
        fields.add("Vary", operation.answersJSON ? "Accept, Accept-Encoding" : "Accept-Encoding")
        return Response(status: 200, headers: fields, body: body)
    }

    /// An answer of a collection's state that can be revalidated: 304 if the client holds it.
    ///
    /// - Parameters:
    ///   - form: what tells this form from others of the same revision, for the tag; empty for the plain snapshot.
    ///   - link: the target of `Link: rel="next"`.
    ///   - isCurrent: whether a tag of the revision in any form says that the client has what it asks for.
    func answer(
        _ revision: Revision, form: String, link: String? = nil, isCurrent: Bool = false, document: () -> Document
    ) -> Response {
        let representation = Representation(revision: revision, form: form, link: link, isCurrent: isCurrent)
        return notModified(representation) ?? answer(representation, document())
    }

    /// The answer to a client that holds a representation: 304; `nil` to one that does not say so.
    func notModified(_ representation: Representation) -> Response? {
        guard let known = EntityTagList(headers.values("If-None-Match")) else { return nil }
        // The coding depends on the length, which is not known without making the body; a tag of either will do.
        let (plain, gzip) = (representation.tag(isGzip: false), representation.tag(isGzip: true))
        let matching = (wantsGzip ? [gzip, plain] : [plain, gzip]).first { known.matchesWeakly($0) }
        guard matching != nil || (representation.isCurrent && known.names(representation.revision)) else { return nil }
        var fields = representation.fields
        fields.add("ETag", "\"\(matching ?? plain)\"")
        return Response(status: 304, headers: fields)
    }

    /// The answer to a client that does not hold a representation.
    func answer(_ representation: Representation, _ document: Document) -> Response {
        let (body, isGzip) = document.body(gzip: wantsGzip)
        var fields = representation.fields
        fields.add("ETag", "\"\(representation.tag(isGzip: isGzip))\"")
        fields.add("Content-Type", representation.type)
        if isGzip { fields.add("Content-Encoding", "gzip") }
        return Response(status: 200, headers: fields, body: body)
    }

    /// The part of a tag that names a resource and its query; short, and of characters that a tag may have.
    func form(_ resource: String, without omitted: String? = nil) -> String {
        let canonical = query.canonical(without: omitted)
        let form = [resource, canonical].filter { !$0.isEmpty }.joined(separator: ";")
        guard form.utf8.count > 80 else { return form }
        var fingerprint = Fingerprint()
        fingerprint.add(form)
        return "\(resource.isEmpty ? "query" : resource);\(fingerprint.text)"
    }
}

extension EntityTagList {
    /// Whether one of the tags, weak or not, is of a revision, in whatever form and coding.
    func names(_ revision: Revision) -> Bool {
        isAny || tags.contains { $0.revisionText == revision.description }
    }
}

extension EntityTag {
    /// What stands before the form and the coding.
    var revisionText: Substring { opaque.prefix { $0 != ";" } }
}
