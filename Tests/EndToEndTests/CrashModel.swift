import MedleyCore
import MedleyJSON

/// What a collection must be, made of nothing but the answers to edits: each says from which revision to which it led
/// and by what changes, so together they make every state that there ever was.
struct CrashModel {
    struct Lineage {
        /// Answers that are not applied yet, by the number of the revision that they made.
        var steps: [UInt64: ChangesAnswer] = [:]
        /// The states from number 1 on.
        var states: [Replica] = []
        /// The number up to which `changes?since=` was checked.
        var checkedNumber = 0
    }

    let collection: String
    private(set) var lineages: [String: Lineage] = [:]
    /// The lineages that have ended, with their last numbers.
    private(set) var ended: [String: Int] = [:]
    private var creations = 0
    private var deletions = 0

    init(_ collection: String) { self.collection = collection }

    /// Whether the collection exists by all creations and deletions; `nil` if they do not fit together.
    var exists: Bool? {
        switch creations - deletions {
        case 0: false
        case 1: true
        default: nil
        }
    }

    var balance: String { "\(creations) creations, \(deletions) deletions" }

    /// Takes the answer to an edit that was carried out; returns what is wrong with it.
    mutating func add(_ edit: CrashEdit, _ answer: CrashAnswer) -> String? {
        if answer.status == 204 {
            deletions += 1
            return nil
        }
        guard let step = try? ChangeDecoder().changesAnswer(answer.body), step.changes != nil else {
            return "no answer to an edit: \(edit): \(answer)"
        }
        if step.from == step.to { return nil }
        let (lineage, number) = (step.to.lineage, step.to.number)
        let known = lineages[lineage]
        if answer.status == 201 {
            creations += 1
            guard number == 1, step.isReset, ended[lineage] == nil, known?.steps[1] == nil,
                known?.states.isEmpty != false
            else {
                return "no creation of a new lineage: \(edit): \(answer)"
            }
            lineages[lineage, default: Lineage()].steps[1] = step
            return nil
        }
        if ended[lineage] != nil { return "an edit of a lineage that has ended: \(edit): \(answer)" }
        if known?.steps[number] != nil || number <= known?.states.count ?? 0 {
            return "two edits made \(step.to): \(edit): \(answer)"
        }
        lineages[lineage, default: Lineage()].steps[number] = step
        return nil
    }

    /// Applies what was added, in the order of the revisions; returns what does not apply.
    mutating func advance() -> [String] {
        var findings: [String] = []
        for (name, var lineage) in lineages {
            while let step = lineage.steps.removeValue(forKey: UInt64(lineage.states.count + 1)) {
                var state = Replica()
                if !step.isReset, let from = step.from {
                    guard from.lineage == name, (1...lineage.states.count).contains(Int(from.number)) else {
                        findings.append("\(collection): an edit led from \(from) to \(step.to)")
                        break
                    }
                    state = lineage.states[Int(from.number) - 1]
                }
                do {
                    try state.apply(step.changes ?? [], isReset: step.isReset, to: step.to)
                } catch {
                    findings.append("\(collection): the changes that led to \(step.to) do not apply: \(error)")
                    break
                }
                lineage.states.append(state)
            }
            lineages[name] = lineage
        }
        return findings
    }

    /// What is missing between answers: edits that were acknowledged and have no predecessor.
    var gaps: [String] {
        lineages.compactMap { name, lineage in
            guard let next = lineage.steps.keys.min() else { return nil }
            return "\(collection): no edit made \(name)-\(lineage.states.count + 1), but one made \(name)-\(next)"
        }
    }

    func state(at revision: Revision) -> Replica? {
        guard let states = lineages[revision.lineage]?.states, (1...max(states.count, 1)).contains(Int(revision.number))
        else { return nil }
        return states.isEmpty ? nil : states[Int(revision.number) - 1]
    }

    /// The snapshot at a revision as the server must write it.
    func json(at revision: Revision) -> [UInt8]? { state(at: revision).map { CrashView.json($0, of: collection) } }

    /// Drops the states of all lineages but the current one.
    mutating func end(allBut current: String?) {
        for (name, lineage) in lineages where name != current {
            ended[name] = lineage.states.count
            lineages[name] = nil
        }
    }

    mutating func checked(upTo number: Int, of lineage: String) { lineages[lineage]?.checkedNumber = number }
}
