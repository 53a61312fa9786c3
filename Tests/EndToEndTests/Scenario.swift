import JSONText
import MedleyJSON

@testable import MedleyCore

/// What a client must live through, as Tests/Scenarios/README.md describes it.
struct Scenario {
    enum Step {
        case follow
        case create(SnapshotContent)
        case replace(SnapshotContent)
        case edit([Change])
        case delete
        case kill
        case start
        case backup(String)
        case restore(String)
        case settle
    }

    /// What is wrong with a file.
    struct FormatError: Error {
        let message: String
    }

    var title: String
    var collection: String
    var steps: [Step]

    init(title: String, collection: String, steps: [Step]) {
        self.title = title
        self.collection = collection
        self.steps = steps
    }

    /// Reads a file.
    init(_ bytes: [UInt8]) throws {
        var scanner = JSONScanner(bytes)
        let file = try scanner.members()
        try scanner.finish()
        guard let title = file.text("title"), let collection = file.text("collection"),
            let list = file.value(of: "steps")
        else { throw FormatError(message: "a scenario has title, collection and steps") }
        var steps: [Step] = []
        var reader = JSONScanner(Array(list))
        try reader.beginArray()
        while try reader.nextElement() { steps.append(try Step(try reader.members())) }
        self.init(title: title, collection: collection, steps: steps)
    }

    /// The file, a step a line.
    var json: [UInt8] {
        var output = Array("{\"title\":".utf8)
        JSONWriter.append(string: title, to: &output)
        output += Array(",\n\"collection\":".utf8)
        JSONWriter.append(string: collection, to: &output)
        output += Array(",\n\"steps\":[\n".utf8)
        for (index, step) in steps.enumerated() {
            if index > 0 { output += Array(",\n".utf8) }
            output += Array("{\"do\":\"\(step.name)\"".utf8) + step.members + Array("}".utf8)
        }
        return output + Array("\n]}\n".utf8)
    }
}

extension Scenario.Step {
    fileprivate init(_ members: JSONMembers) throws {
        func content() throws -> SnapshotContent {
            try SnapshotDecoder().content(Array(members.value(of: "content") ?? []))
        }
        func name() throws -> String {
            guard let name = members.text("name") else { throw Scenario.FormatError(message: "a backup has a name") }
            return name
        }
        switch members.text("do") {
        case "follow": self = .follow
        case "create": self = .create(try content())
        case "replace": self = .replace(try content())
        case "edit": self = .edit(try ChangeDecoder().changes(Array(members.value(of: "changes") ?? [])))
        case "delete": self = .delete
        case "kill": self = .kill
        case "start": self = .start
        case "backup": self = .backup(try name())
        case "restore": self = .restore(try name())
        case "settle": self = .settle
        case let other: throw Scenario.FormatError(message: "there is no step \(other ?? "without a name")")
        }
    }

    var name: String {
        switch self {
        case .follow: "follow"
        case .create: "create"
        case .replace: "replace"
        case .edit: "edit"
        case .delete: "delete"
        case .kill: "kill"
        case .start: "start"
        case .backup: "backup"
        case .restore: "restore"
        case .settle: "settle"
        }
    }

    fileprivate var members: [UInt8] {
        switch self {
        case .create(let content), .replace(let content):
            Array(",\"content\":".utf8) + SnapshotEncoder.encoded(content)
        case .edit(let changes): Array(",\"changes\":".utf8) + ChangeEncoder.encoded(changes)
        case .backup(let name), .restore(let name): Array(",\"name\":\"\(name)\"".utf8)
        case .follow, .delete, .kill, .start, .settle: []
        }
    }
}

extension JSONMembers {
    fileprivate func text(_ name: String) -> String? { string(of: name).map { String(decoding: $0, as: UTF8.self) } }
}
