import JSONText
import MedleyCore

/// How much of everything a checkpoint holds, so that a piece which is missing or there twice is noticed.
struct CheckpointCounts: Equatable {
    var members = 0
    var removedMembers = 0
    var sections = 0
    var items = 0
    var deletedItems = 0
    var deletedSections = 0

    /// Nothing yet.
    init() {}

    /// What a checkpoint of a snapshot holds.
    init(of snapshot: Snapshot) {
        members = snapshot.memberHistory.count
        removedMembers = snapshot.memberRemovals.count
        sections = snapshot.sectionCount
        items = snapshot.itemCount
        deletedItems = snapshot.itemDeletionCount
        deletedSections = snapshot.sectionDeletionCount
    }

    /// The counts by their names in the text.
    static var names: [(name: String, path: any WritableKeyPath<CheckpointCounts, Int> & Sendable)] {
        [
            ("members", \.members), ("removedMembers", \.removedMembers), ("sections", \.sections),
            ("items", \.items), ("deletedItems", \.deletedItems), ("deletedSections", \.deletedSections),
        ]
    }

    /// Appends the counts as an object.
    func append(to output: inout [UInt8]) {
        for (index, (name, path)) in Self.names.enumerated() {
            output.append(UInt8(ascii: index == 0 ? "{" : ","))
            JSONWriter.append(string: name, to: &output)
            output.append(UInt8(ascii: ":"))
            JSONWriter.append(integer: self[keyPath: path], to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}
