/// What is wrong with a structure; only a fault in this module can bring it about.
struct InvariantViolation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Throws unless a condition holds.
    static func require(_ condition: Bool, _ description: @autoclosure () -> String) throws {
        guard condition else { throw InvariantViolation(description()) }
    }
}

extension Snapshot {
    /// Checks that stores, sections and ledger agree. O(n log n); for tests.
    package func checkInvariants() throws {
        var inSections = 0
        var bytes = 0
        for entry in sectionOrder {
            guard let state = sections.find(entry.id)?.state else {
                throw InvariantViolation("section \(entry.id) is in the order only")
            }
            try InvariantViolation.require(state.label == entry.label, "section \(entry.id) has another label")
            try InvariantViolation.require(
                ledger.sections.find(state.touchKey)?.id == state.id, "section \(entry.id) is not in the ledger")
            bytes += state.encodedByteCount
            for element in state.items {
                let item = element.item
                inSections += 1
                bytes += item.encodedByteCount + 1
                try InvariantViolation.require(item.section == state.id, "item \(item.id) names another section")
                try InvariantViolation.require(
                    self.item(item.id) === item, "item \(item.id) is another object in its store")
                try InvariantViolation.require(
                    ledger.items.find(item.touchKey)?.item === item, "item \(item.id) is not in the ledger")
                try InvariantViolation.require(
                    item.created <= item.placed && max(item.placed, item.changed) <= revision.number,
                    "item \(item.id) has stamps out of order")
            }
        }
        try InvariantViolation.require(sections.count == sectionOrder.count, "sections that are in no order")
        try InvariantViolation.require(inSections == itemCount, "\(itemCount) models, \(inSections) in sections")
        try InvariantViolation.require(ledger.items.count == itemCount, "the ledger has \(ledger.items.count) items")
        try InvariantViolation.require(ledger.sections.count == sectionCount, "the ledger has other sections")
        try InvariantViolation.require(bytes == encodedByteCount, "\(encodedByteCount) bytes counted, \(bytes) there")
        try InvariantViolation.require(stores.allSatisfy { $0.count > 0 }, "an empty store")
    }
}
