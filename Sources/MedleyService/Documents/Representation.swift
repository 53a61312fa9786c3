import HTTPCore
import MedleyCore

/// What of a collection's state is answered, and in what form.
struct Representation: Sendable {
    let revision: Revision
    /// What tells it from others of the same revision, for the tag; empty for the plain snapshot.
    let form: String
    /// The value of `Content-Type`.
    var type = RoutingTable.json
    /// The target of `Link: rel="next"`.
    var link: String?
    /// Whether a tag of the revision in any form says that the client has what it asks for.
    var isCurrent = false

    /// What stands between the quotes of its tag.
    func tag(isGzip: Bool) -> String {
        let plain = form.isEmpty ? "\(revision)" : "\(revision);\(form)"
        return isGzip ? "\(plain);gzip" : plain
    }

    /// The header fields of an answer with it and of one that says that it is not modified.
    var fields: HeaderFields {
        var fields = HeaderFields()
        fields.add("Revision", revision.description)
        fields.add("Cache-Control", "no-cache")
        fields.add("Vary", "Accept, Accept-Encoding")
        if let link { fields.add("Link", "<\(link)>; rel=\"next\"") }
        return fields
    }
}
