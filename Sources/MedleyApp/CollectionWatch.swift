import MedleyClient
import MedleyCore
import MedleyJSON

/// Follows a collection for `medley watch`: changes go to standard output, what becomes of the connection to standard
/// error.
struct CollectionWatch {
    private let client: CollectionClient
    private let options: WatchOptions
    private let retries: RetryPolicy
    private let output: CommandOutput
    private let hasToken: Bool
    private var isLost = false
    private var hasStarted = false

    init(
        _ client: CollectionClient, _ options: WatchOptions, retries: RetryPolicy, hasToken: Bool,
        _ output: CommandOutput
    ) {
        self.hasToken = hasToken
        self.retries = retries
        self.client = client
        self.options = options
        self.output = output
    }

    /// Follows until the task is cancelled; throws if the server refuses for good.
    mutating func run() async throws(ClientError) {
        var events = client.events().makeAsyncIterator()
        while let event = try await events.next() {
            switch event {
            case .connected:
                if isLost { note("the server is back") }
                isLost = false
            case .disconnected(let error, _):
                if !isLost { note("\(error); it is waited for") }
                isLost = true
            case .resynchronizing(let error): note("\(error)")
            case .gone:
                note(
                    hasStarted
                        ? "\(client.id) is gone; it is waited for"
                        : "there is no \(client.id) yet\(hasToken ? ", or the token is not for it" : ""); it is waited for"
                )
                hasStarted = true
            case .updated(let update):
                if hasStarted { tell(update) } else { try await begin(at: update.snapshot, &events) }
                hasStarted = true
            }
        }
    }

    private func note(_ text: String) {
        output.error("medley watch: \(PrintableText.of(text))\n")
    }

    private func state(of snapshot: Snapshot) -> String {
        "\(snapshot.revision), with \(snapshot.itemCount) items in \(snapshot.sectionCount) sections"
    }

    // MARK: The beginning

    /// Tells what has changed since the revision that was asked for, if one was, up to the snapshot that is held.
    private mutating func begin(
        at snapshot: Snapshot, _ events: inout CollectionEvents.Iterator
    ) async throws(ClientError) {
        guard let since = options.since else {
            note("follows \(client.id) at \(state(of: snapshot))")
            return
        }
        var held = snapshot
        var attempts = 0
        while attempts < Self.attempts, !Task.isCancelled {
            do throws(ClientError) {
                guard let answer = try await client.changes(since: since) else { return }
                if answer.to == held.revision {
                    events = client.events(from: held).makeAsyncIterator()
                    tell(answer, before: nil, after: held)
                    return
                }
                // Somebody edited between the two requests: what is held has to be what the answer leads to.
                guard let next = try await client.snapshot() else { return }
                held = next
                attempts += 1
            } catch {
                guard error.code == .unreachable else { throw error }
                if !isLost { note("\(error); it is waited for") }
                isLost = true
                await retries.sleep(retries.first + retries.random(retries.first))
            }
        }
        note("\(client.id) changes too fast to tell what happened since \(since)")
    }

    private static let attempts = 20

    // MARK: Changes

    private func tell(_ update: CollectionUpdate) {
        let from = update.isReset ? nil : update.before?.revision
        tell(
            ChangesAnswer(
                from: from, to: update.snapshot.revision, isReset: update.isReset, changes: update.changes),
            before: update.before, after: update.snapshot)
    }

    private func tell(_ answer: ChangesAnswer, before: Snapshot?, after: Snapshot) {
        if answer.isReset {
            let isBack = before == nil && options.since == nil
            note("\(isBack ? "there it is" : "started over"): \(client.id) is at \(state(of: after))")
        }
        if options.isJSON {
            if answer.isReset || answer.from != answer.to {
                output.print(String(decoding: answer.encoded(), as: UTF8.self))
            }
        } else if !answer.isReset {
            let lines = ChangeLines(before: before, after: after)
            for change in answer.changes ?? [] {
                for line in lines.lines(of: change) { output.print(line) }
            }
        }
    }
}
