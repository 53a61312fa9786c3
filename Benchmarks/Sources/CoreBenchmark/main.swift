// What the core costs at 1,000, 100,000 and 1,000,000 items: run by Scripts/bench. Every edit is made on a snapshot that
// stays held, as it is while clients read it, at random places, so that memory is as cold as it gets.
import JSONText
import MedleyCore

struct Figures {
    var values: [(name: String, nanoseconds: Double)] = []
    var memoryRatio = 0.0
    var jsonBytesPerItem = 0.0
}

func applied(_ snapshot: Snapshot, _ operation: Change.Operation) -> Snapshot {
    do { return try snapshot.applying([Change(operation)]) } catch { preconditionFailure("\(error)") }
}

/// Ids in an order that no cache foresees.
func scattered(_ index: Int, of count: Int) -> Int { Int((UInt64(index) &* 0x9E37_79B9_7F4A_7C15) % UInt64(count)) }

func measure(_ count: Int) throws -> Figures {
    let before = Measurement.allocatedBytes()
    let base = try SampleCollection.make(count)
    let memory = Measurement.allocatedBytes() - before
    let json = SampleCollection.encodedByteCount(base)
    var figures = Figures()
    figures.memoryRatio = Double(memory) / Double(json)
    figures.jsonBytesPerItem = Double(json) / Double(count)
    let (rounds, calls) = (21, 200)

    func add(_ name: String, _ body: (Int) -> Void) {
        figures.values.append((name, Measurement.nanoseconds(rounds: rounds, calls: calls, body)))
    }
    /// Edits a snapshot in a chain; the one before and `base` stay held.
    func edit(_ name: String, _ operation: (Int) -> Change.Operation) {
        var (held, newest) = (base, base)
        add(name) { index in
            held = newest
            newest = applied(held, operation(index))
        }
        // Nearly all of the edits must have changed something.
        precondition(Int(newest.revision.number) > rounds * calls * 9 / 10)
    }
    edit("insert") {
        .insert(
            [SampleCollection.content(count + $0)],
            at: .after(SampleCollection.id(scattered($0, of: count)), section: nil))
    }
    edit("move") { index in
        let (item, anchor) = (
            scattered(index, of: count), scattered(index &* 31 + index / count + 7_777_777, of: count)
        )
        return .move(
            [SampleCollection.id(item)],
            to: .after(SampleCollection.id(anchor == item ? (anchor + 1) % count : anchor), section: nil))
    }
    edit("like") { .toggleLiked([SampleCollection.id(scattered($0, of: count))]) }
    add("lookup") { _ = base.item(SampleCollection.id(scattered($0, of: count))) }
    add("index of an item") { _ = base.position(of: SampleCollection.id(scattered($0, of: count))) }

    let liked = applied(base, .toggleLiked([SampleCollection.id(count / 2)]))
    add("changes after one edit") { _ in _ = liked.changes(since: base.revision.number) }

    var mixed = base
    for index in 0..<2200 {
        let item = SampleCollection.id(scattered(index, of: count))
        switch index % 4 {
        case 0: mixed = applied(mixed, .toggleLiked([item]))
        case 1: mixed = applied(mixed, .insert([SampleCollection.content(2 * count + index)], at: .first(in: "s3")))
        case 2:
            mixed = applied(mixed, .move([SampleCollection.id(scattered(index, of: count / 2))], to: .last(in: "s5")))
        default:
            let gone = SampleCollection.id(count / 2 + scattered(index, of: count / 2))
            if mixed.item(gone) != nil { mixed = applied(mixed, .delete([gone])) }
        }
    }
    figures.values.append(
        (
            "changes after 2,200 edits",
            Measurement.nanoseconds(rounds: 11, calls: 1) { _ in
                _ = mixed.changes(since: base.revision.number)
            }
        ))
    return figures
}

let sizes = [1_000, 100_000, 1_000_000]
var all: [Figures] = []
for size in sizes { all.append(try measure(size)) }

func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
}
func decimal(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

print(padded("microseconds", 28) + sizes.map { padded("\($0) items", 16) }.joined())
for row in all[0].values.indices {
    print(
        padded(all[0].values[row].name, 28)
            + all.map { padded(decimal($0.values[row].nanoseconds / 1000), 16) }.joined())
}
print(padded("memory over JSON bytes", 28) + all.map { padded(decimal($0.memoryRatio), 16) }.joined())
print(padded("JSON bytes for each item", 28) + all.map { padded(decimal($0.jsonBytesPerItem), 16) }.joined())
let changes = all.map { $0.values.first { $0.name == "changes after one edit" }?.nanoseconds ?? 0 }
print("changes after one edit, 1,000,000 items over 1,000: \(decimal(changes[2] / changes[0])) (to reach: at most 1.5)")
print(
    "a move at 1,000,000 items: \(decimal((all[2].values.first { $0.name == "move" }?.nanoseconds ?? 0) / 1000)) µs (to reach: at most 10)"
)
print("memory at 1,000,000 items over their JSON: \(decimal(all[2].memoryRatio)) (to reach: at most 2.0)")
