import Foundation
import JSONText
import MedleyJSON
import Synchronization
import Testing

@testable import MedleyCore

/// Many clients edit one collection at once while others only apply the changes.
@Suite struct ConcurrencyTests {
    /// How long they do; `MEDLEY_SOAK_SECONDS`, else two seconds.
    private static let seconds =
        ProcessInfo.processInfo.environment["MEDLEY_SOAK_SECONDS"].flatMap { Double($0) } ?? 2

    /// What all of them found.
    private final class Findings: Sendable {
        /// What each acknowledged edit with an effect did, and the revision that it made.
        let committed = Mutex<[(revision: Revision, change: Change)]>([])
        let expected = Mutex<[ItemID: Bool]>([:])
        let gone = Mutex<Set<ItemID>>([])
        let failures = Mutex<[String]>([])
        let edits = Atomic(0)
        let refusals = Atomic(0)
        let replays = Atomic(0)
        let polls = Atomic(0)
        let isOver = Atomic(false)

        func fail(_ text: String) { failures.withLock { if $0.count < 20 { $0.append(text) } } }
    }

    @Test func everyAcknowledgedEditIsThereAndPollersAgree() throws {
        let seed = SeededGenerator.seed
        print("MEDLEY_SEED=\(seed)")
        let running = try RunningServer()
        let connection = try running.connect()
        let sections = (0..<50).map { #"{"id":"p\#($0)"}"# }.joined(separator: ",")
        let start = #"{"title":"C","sections":[{"id":"all"},\#(sections)]}"#
        #expect(try connection.send("PUT", "/v1/collections/c", json: Array(start.utf8)).status == 201)
        let first = try connection.snapshot("c")
        let findings = Findings()
        let deadline = ContinuousClock.now + .seconds(Self.seconds)

        let editors = (0..<50).map { number in
            Self.thread(findings) {
                var client = EditingClient(number, seed: seed, connection: try running.connect(), findings: findings)
                while ContinuousClock.now < deadline { try client.step() }
                client.report()
            }
        }
        let replicas = Mutex<[Replica]>([])
        let pollers = (0..<5).map { _ in
            Self.thread(findings) {
                let connection = try running.connect()
                var replica = try Replica(json: first.json, revision: first.revision)
                var isLast = false
                while !isLast {
                    isLast = findings.isOver.load(ordering: .acquiring)
                    let answer = try connection.changes("c", since: replica.snapshot.revision)
                    try replica.apply(answer.changes ?? [], isReset: answer.isReset, to: answer.to)
                    findings.polls.add(1, ordering: .relaxed)
                }
                let final = replica
                replicas.withLock { $0.append(final) }
            }
        }
        for editor in editors { editor.wait() }
        findings.isOver.store(true, ordering: .releasing)
        for poller in pollers { poller.wait() }

        #expect(findings.failures.withLock { $0 } == [])
        let last = try connection.snapshot("c")
        let snapshot = NaiveCollection(try Replica(json: last.json, revision: last.revision).snapshot)
        let ids = snapshot.allItems.map(\.id)
        #expect(Set(ids).count == ids.count)
        let liked = Dictionary(uniqueKeysWithValues: snapshot.allItems.map { ($0.id, $0.liked) })
        #expect(liked == findings.expected.withLock { $0 })
        #expect(findings.gone.withLock { $0 }.isDisjoint(with: ids))
        let committed = findings.committed.withLock { $0 }.sorted { $0.revision.number < $1.revision.number }
        #expect(committed.map(\.revision.number) == Array(first.revision.number..<last.revision.number).map { $0 + 1 })
        // One after the other in the order of their revisions they make what is there, so none is lost.
        var state = try Replica(json: first.json, revision: first.revision).snapshot
        for (_, change) in committed { state = try state.applying([change]) }
        #expect(NaiveCollection(state).json(id: "c", revision: last.revision) == last.json)
        for replica in replicas.withLock({ $0 }) {
            #expect(replica.snapshot.revision == last.revision)
            #expect(NaiveCollection(replica.snapshot).json(id: "c", revision: last.revision) == last.json)
        }
        #expect(replicas.withLock { $0.count } == 5)
        func count(_ number: borrowing Atomic<Int>) -> Int { number.load(ordering: .relaxed) }
        print(
            "\(count(findings.edits)) edits acknowledged, \(committed.count) of them revisions, "
                + "\(count(findings.replays)) replayed, \(count(findings.refusals)) refused, "
                + "\(count(findings.polls)) polls, \(ids.count) items in \(Self.seconds) s")
    }

    /// Runs on a thread of its own; a thrown error is a finding.
    private static func thread(_ findings: Findings, _ body: @escaping @Sendable () throws -> Void) -> DispatchSemaphore
    {
        let done = DispatchSemaphore(value: 0)
        Thread {
            do { try body() } catch { findings.fail("\(error)") }
            done.signal()
        }.start()
        return done
    }

    /// A client that edits items which only it likes, inserts and deletes, so that it knows what must become of them.
    private struct EditingClient {
        let number: Int
        let connection: ServerConnection
        let findings: Findings
        var generator: SeededGenerator
        var liked: [ItemID: Bool] = [:]
        var inOwnSection: [ItemID] = []
        var gone = Set<ItemID>()
        var count = 0

        init(_ number: Int, seed: UInt64, connection: ServerConnection, findings: Findings) {
            self.number = number
            self.connection = connection
            self.findings = findings
            generator = SeededGenerator(seed &+ UInt64(number) &* 7919)
        }

        var section: SectionID { SectionID("p\(number)") }

        mutating func step() throws {
            count += 1
            let owned = liked.keys.sorted { $0.description < $1.description }.randomElement(using: &generator)
            switch (Int.random(in: 0..<10, using: &generator), owned) {
            case (0...3, _), (_, nil): try insert()
            case (4, let id?):
                if try edit(.delete([id])) {
                    liked[id] = nil
                    gone.insert(id)
                    inOwnSection.removeAll { $0 == id }
                }
            case (5, let id?), (6, let id?):
                if try edit(.toggleLiked([id])) { liked[id]?.toggle() }
            case (7, let id?):
                if try edit(.move([id], to: generator.chance(50) ? .first(in: "all") : .last(in: "all"))) {
                    inOwnSection.removeAll { $0 == id }
                }
            case (8, let id?):
                // Next to an item of another client, which may be gone by now.
                let anchor = ItemID("c\(Int.random(in: 0..<50, using: &generator))-1")
                if anchor != id, try edit(.move([id], to: .after(anchor, section: nil)), mayMiss: true) {
                    inOwnSection.removeAll { $0 == id }
                }
            default:
                let order = inOwnSection.shuffled(using: &generator)
                if try edit(.reorder(section, order), mayMiss: true) { inOwnSection = order }
            }
        }

        private mutating func insert() throws {
            let id = ItemID("c\(number)-\(count)")
            let model = JSONMembers(trusted: Array(#""title":"Item \#(count)""#.utf8))
            let content = ItemContent(id: id, type: ItemType("music"), liked: nil, model: model)
            if try edit(.insert([content], at: .last(in: section))) {
                liked[id] = false
                inOwnSection.append(id)
            }
        }

        /// Sends an edit, now and then twice under one key; whether it was acknowledged.
        private mutating func edit(_ operation: Change.Operation, mayMiss: Bool = false) throws -> Bool {
            let key = generator.chance(30) ? "k\(number)-\(count)" : nil
            let (reply, answer) = try connection.patch("c", [Change(operation)], key: key)
            guard let answer else {
                // Others move items into this client's section, and away what it names.
                if !mayMiss || (reply.status != 404 && reply.status != 422) { findings.fail(reply.text) }
                findings.refusals.add(1, ordering: .relaxed)
                return false
            }
            findings.edits.add(1, ordering: .relaxed)
            if answer.from != answer.to {
                findings.committed.withLock { $0.append((answer.to, Change(operation))) }
            }
            if let key {
                let again = try connection.patch("c", [Change(operation)], key: key).reply
                findings.replays.add(1, ordering: .relaxed)
                if again.body != reply.body || again["Idempotency-Replayed"] != "true" {
                    findings.fail("another answer to the same key: \(again.text)")
                }
            }
            return true
        }

        func report() {
            findings.expected.withLock { $0.merge(liked) { one, _ in one } }
            findings.gone.withLock { $0.formUnion(gone) }
        }
    }
}
