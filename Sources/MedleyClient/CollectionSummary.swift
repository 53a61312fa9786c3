import JSONText
public import MedleyCore

/// A collection in the list of all.
public struct CollectionSummary: Hashable, Sendable {
    /// The collection's id.
    public let id: String
    /// Its title.
    public let title: String
    /// Its revision.
    public let revision: Revision
    /// The number of its sections.
    public let sectionCount: Int
    /// The number of its items.
    public let itemCount: Int

    /// Creates a summary.
    public init(id: String, title: String, revision: Revision, sectionCount: Int, itemCount: Int) {
        self.id = id
        self.title = title
        self.revision = revision
        self.sectionCount = sectionCount
        self.itemCount = itemCount
    }

    /// Reads `{"collections":[…]}`; `nil` if it is anything else.
    static func list(in bytes: [UInt8]) -> [CollectionSummary]? {
        var scanner = JSONScanner(bytes)
        do throws(JSONSyntaxError) {
            let answer = try scanner.members()
            try scanner.finish()
            guard let list = answer.value(of: "collections") else { return nil }
            var summaries: [CollectionSummary] = []
            var reader = JSONScanner(Array(list))
            try reader.beginArray()
            while try reader.nextElement() {
                guard let summary = CollectionSummary(try reader.members()) else { return nil }
                summaries.append(summary)
            }
            return summaries
        } catch { return nil }
    }

    private init?(_ members: JSONMembers) {
        func text(_ name: String) -> String? {
            members.string(of: name).map { String(decoding: $0, as: UTF8.self) }
        }
        guard let id = text("id"), let revision = text("revision").flatMap({ Revision($0) }),
            let counts = members.value(of: "counts")
        else { return nil }
        var scanner = JSONScanner(Array(counts))
        let numbers = (try? scanner.members()) ?? .empty
        func number(_ name: String) -> Int {
            numbers.value(of: name).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        }
        self.init(
            id: id, title: text("title") ?? "", revision: revision, sectionCount: number("sections"),
            itemCount: number("items"))
    }
}
