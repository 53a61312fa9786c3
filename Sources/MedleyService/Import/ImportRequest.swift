import HTTPCore
import MedleyCore
import MedleyFormats

/// What the query and the content type of an import say: the options of `medley import`.
struct ImportRequest: Sendable {
    static let parameters: Set<String> = ["format", "type", "section", "map", "id", "order", "prune", "dryRun"]

    let format: StatedFormat
    let mapping: RecordMapping
    let plan: ImportPlan.Options
    let isDryRun: Bool

    init(_ call: Call) throws(Problem) {
        let query = call.query
        if let name = try query.value("format") {
            guard let stated = StatedFormat(name: name), stated != .format(.folder) else {
                let names = StatedFormat.names.filter { $0 != "folder" }.joined(separator: ", ")
                throw Query.invalid("\"format\" is one of \(names).")
            }
            format = stated
        } else {
            // What is no type of these was refused by its head.
            let type = call.headers["Content-Type"].flatMap { MediaType($0) }?.essence
            format = type.flatMap { StatedFormat(mediaType: $0) } ?? .byContent
        }
        var mapping = RecordMapping()
        if let type = try query.value("type") {
            guard let type = ItemType(type) else {
                throw Query.invalid("\"type\" is a lower-case letter with letters and digits behind it.")
            }
            mapping.type = type
        }
        if let section = try query.value("section") {
            guard !section.isEmpty else { throw Query.invalid("\"section\" is the name of a field.") }
            mapping.section = Array(section.utf8)
        }
        let (members, fields) = (try query.value("map"), try query.value("id"))
        do throws(FormatError) {
            if let members { mapping.members = try RecordMapping.members(option: members) }
            if let fields { mapping.idFields = try RecordMapping.fields(option: fields) }
        } catch {
            throw Query.invalid(Problem.sentence(error.message))
        }
        self.mapping = mapping
        plan = ImportPlan.Options(
            takesSourceOrder: try query.flag("order", "source"), prunes: try query.bool("prune") ?? false)
        isDryRun = try query.bool("dryRun") ?? false
    }
}
