import Foundation
import MedleyCore
import MedleyJSON

/// What must hold after each restart.
extension CrashTrial {
    /// A collection as the server has it, `nil` if it has none.
    typealias Found = (json: [UInt8], revision: Revision)?

    /// Compares what a server that has just started has with all that was told before.
    func check(_ port: UInt16) throws {
        let connection = ServerConnection(try TestClient(port: port), port: port)
        let events = history.take()
        totals.acknowledged += events.answered.count
        totals.refused += events.refusals
        totals.polls += events.polls

        let recovered = try found(over: connection)
        events.answered.forEach(add)
        let fresh = try retry(events.unanswered, over: connection)
        compare(recovered, "after the restart")
        fresh.forEach(add)
        let now = try found(over: connection)
        compare(now, "after the lost edits were made again")

        checkNoted(events.noted)
        acknowledged += events.answered + fresh
        try checkReplays(newest: events.answered.count + fresh.count, over: connection)
        // Bodies that are large would take all memory in time.
        acknowledged.removeAll { $0.answer.body.count > 50_000 && generator.chance(70) }
        if try found(over: connection).map({ $0?.json }) != now.map({ $0?.json }) {
            history.fail("repeated requests changed something")
        }
        for index in models.indices {
            totals.lineages -= models[index].ended.count
            models[index].end(allBut: now[index]?.revision.lineage)
            totals.lineages += models[index].ended.count
            try checkChanges(of: index, now[index], over: connection)
        }
    }

    /// The snapshots of all collections.
    func found(over connection: ServerConnection) throws -> [Found] {
        try models.map { model in
            let reply = try connection.send("GET", "/v1/collections/\(model.collection)")
            if reply.status == 404 { return nil }
            guard reply.status == 200, let revision = reply["Revision"].flatMap({ Revision($0) }) else {
                throw CrashServer.Failure(description: "GET \(model.collection): \(reply.status) \(reply.text)")
            }
            return (reply.body, revision)
        }
    }

    private func add(_ record: CrashHistory.Record) {
        guard let index = models.firstIndex(where: { $0.collection == record.edit.collection }) else { return }
        if let finding = models[index].add(record.edit, record.answer) { history.fail(finding) }
    }

    // MARK: Edits

    /// Sends edits again whose answers were lost. Those that had been carried out are added to the models; returns those
    /// that are carried out only now.
    private func retry(
        _ edits: [CrashEdit], over connection: ServerConnection
    ) throws -> [CrashHistory.Record] {
        var fresh: [CrashHistory.Record] = []
        for edit in edits {
            let answer = try edit.send(over: connection)
            let record = CrashHistory.Record(edit: edit, answer: answer)
            guard answer.isSuccess else {
                // Of a shared collection another's edit may have changed what this one needs.
                if !shared.contains(edit.collection) || ![404, 409, 410, 422].contains(answer.status)
                    || answer.text.contains("/problems/key-")
                {
                    history.fail("a lost edit was refused: \(edit): \(answer)")
                }
                totals.absent += 1
                continue
            }
            if answer.isReplayed {
                totals.carriedOut += 1
                add(record)
                acknowledged.append(record)
            } else {
                totals.absent += 1
                fresh.append(record)
            }
            try expectReplay(of: record, over: connection)
        }
        return fresh
    }

    /// Repeats some acknowledged edits, of the last load and of all before it.
    private func checkReplays(newest count: Int, over connection: ServerConnection) throws {
        let sample =
            acknowledged.suffix(count).shuffled(using: &generator).prefix(20)
            + (0..<20).compactMap { _ in acknowledged.randomElement(using: &generator) }
        for record in sample { try expectReplay(of: record, over: connection) }
    }

    private func expectReplay(of record: CrashHistory.Record, over connection: ServerConnection) throws {
        let answer = try record.edit.send(over: connection)
        totals.replays += 1
        if !answer.isReplay(of: record.answer) {
            history.fail("not the first answer again: \(record.edit): first \(record.answer), now \(answer)")
        }
    }

    // MARK: States

    /// Compares what the server has with what the answers to all edits make.
    private func compare(_ found: [Found], _ moment: String) {
        for (index, found) in zip(models.indices, found) {
            models[index].advance().forEach(history.fail)
            models[index].gaps.forEach(history.fail)
            let model = models[index]
            if model.exists != (found != nil) {
                history.fail(
                    "\(moment), \(model.collection) is \(found.map { "at \($0.revision)" } ?? "not there"): "
                        + model.balance)
            }
            guard let found else { continue }
            let last = model.lineages[found.revision.lineage]?.states.count ?? 0
            if last != Int(found.revision.number) {
                history.fail("\(moment), \(model.collection) is at \(found.revision), by all answers at \(last)")
            }
            if let json = model.json(at: found.revision), json != found.json {
                history.fail("\(moment), \(model.collection) has another content at \(found.revision)")
            }
        }
    }

    /// Whatever anybody saw is what the answers make at that revision.
    private func checkNoted(_ noted: [String: [Revision: Int]]) {
        for model in models {
            for (revision, hash) in noted[model.collection] ?? [:] {
                totals.revisions += 1
                guard let json = model.json(at: revision) else {
                    history.fail("\(model.collection) was seen at \(revision), which is lost")
                    continue
                }
                if CrashHistory.hash(json) != hash {
                    history.fail("\(model.collection) was seen with another content at \(revision)")
                }
            }
        }
    }

    // MARK: Changes

    /// Asks for the changes since every revision that is new since the last check, and since some older ones.
    private func checkChanges(of index: Int, _ found: Found, over connection: ServerConnection) throws {
        let model = models[index]
        let path = "/v1/collections/\(model.collection)/changes?since="
        for (lineage, last) in model.ended.shuffled(using: &generator).prefix(5) {
            let revision = Revision(
                lineage: lineage, number: UInt64(Int.random(in: 1...max(last, 1), using: &generator)))
            let reply = try connection.send("GET", path + revision.description)
            let (status, code) = found == nil ? (404, "collection-not-found") : (410, "lineage-changed")
            if reply.status != status || !reply.text.contains("/problems/\(code)") {
                history.fail("since \(revision), whose lineage has ended: \(reply.status) \(reply.text)")
            }
        }
        guard let found, let lineage = model.lineages[found.revision.lineage] else { return }
        let future = Revision(lineage: found.revision.lineage, number: found.revision.number + 1)
        let refusal = try connection.send("GET", path + future.description)
        if refusal.status != 410 || !refusal.text.contains("/problems/revision-unknown") {
            history.fail("since \(future), which is none yet: \(refusal.status) \(refusal.text)")
        }
        let older = (0..<min(lineage.checkedNumber, 20)).map { _ in
            Int.random(in: 1...lineage.checkedNumber, using: &generator)
        }
        for number in older + Array(lineage.checkedNumber..<lineage.states.count).map({ $0 + 1 }) {
            let revision = Revision(lineage: found.revision.lineage, number: UInt64(number))
            guard var state = model.state(at: revision) else { continue }
            totals.revisions += 1
            let reply = try connection.send("GET", path + revision.description)
            do {
                guard reply.status == 200 else { throw CrashServer.Failure(description: "\(reply.status)") }
                let answer = try ChangeDecoder().changesAnswer(reply.body)
                try state.apply(answer.changes ?? [], isReset: answer.isReset, to: answer.to)
                if CrashView.json(state, of: model.collection) != found.json {
                    history.fail("the changes of \(model.collection) since \(revision) lead elsewhere: \(reply.text)")
                }
            } catch { history.fail("since \(revision) of \(model.collection) (\(error)): \(reply.text)") }
        }
        models[index].checked(upTo: lineage.states.count, of: found.revision.lineage)
    }
}
