import FuzzSupport
import MedleyCore
import MedleyJSON
import Synchronization

private let beginning = SnapshotHistory()

/// Each line is a body: a list of changes, a PATCH's or a PUT's. What is accepted is applied, and the snapshots that come
/// of it are checked against each other.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzChanges(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var history = beginning
    let made = Made()
    let decoder = ChangeDecoder(makeID: { made.next() })
    for line in unsafe FuzzInput.bytes(start, count).split(separator: UInt8(ascii: "\n")).prefix(8) {
        let body = Array(line)
        if let changes = (try? decoder.changes(body)) ?? (try? decoder.patchBody(body).changes) {
            checkText(changes)
            history.apply(changes)
        } else if let content = try? SnapshotDecoder(makeID: { made.next() }).content(body) {
            history.replace(with: content)
        }
        _ = try? decoder.itemPatch(body)
        _ = try? decoder.changesAnswer(body)
    }
    return 0
}

/// Ids that are the same whenever the input is.
private final class Made: Sendable {
    private let count = Atomic(0)

    func next() -> ItemID { ItemID("made-\(count.add(1, ordering: .relaxed).newValue)") }
}

/// What was decoded is the same when it is written and decoded again.
private func checkText(_ changes: [Change]) {
    let text = ChangeEncoder.encoded(changes)
    FuzzInput.require((try? ChangeDecoder().changes(text)) == changes, "changes come back from JSON as others")
}
