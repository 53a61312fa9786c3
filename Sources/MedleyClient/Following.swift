import MedleyCore
import MedleyJSON

/// How a collection is followed by held polls, without I/O: says what to do next and is told what came of it.
///
/// One poll at a time: `changes?since=R&wait=S&reset=inline`. The answer is the net difference, however long the reader
/// took, so nothing piles up between two calls. Polls and not events: they are one way on every platform, since
/// FoundationNetworking has no `bytes(for:)`; they pass proxies that collect an answer before they hand it on; and an
/// answer that breaks off is noticed as such.
struct Following: Sendable {
    /// What to do next.
    enum Step: Sendable {
        case tell(CollectionEvent)
        case pause(Double)
        case request(ClientRequest)
        case fail(ClientError)
        case end
    }

    /// How long the server is asked to hold a poll, in seconds: below what proxies wait for, 30 at the least.
    static let hold = 25.0

    private let location: Result<CollectionURL, ClientError>
    private let retries: RetryPolicy
    private var replica: Replica?
    private var events: [CollectionEvent] = []
    private var pause: Double?
    private var failure: ClientError?
    private var hasEnded = false
    private var isConnected: Bool?
    private var isGone = false
    /// Whether a Medley server has answered at this URL.
    private var isProven = false
    /// Whether a held poll was ended because its token is no longer what it was.
    private var isDoubted = false
    /// Whether everything is asked for instead of what changed.
    private var needsReset = false
    /// How often in a row: no answer; no collection; an answer without news before its time; an answer that does not fit.
    private var (failures, absences, earlyAnswers, misfits) = (0, 0, 0, 0)

    init(_ location: Result<CollectionURL, ClientError>, from snapshot: Snapshot?, retries: RetryPolicy) {
        self.location = location
        self.retries = retries
        replica = snapshot.map { Replica($0) }
    }

    mutating func next() -> Step {
        if !events.isEmpty { return .tell(events.removeFirst()) }
        if hasEnded { return .end }
        if let failure {
            hasEnded = true
            return .fail(failure)
        }
        if let pause {
            self.pause = nil
            return .pause(pause)
        }
        do throws(ClientError) {
            return .request(request(try location.get()))
        } catch {
            hasEnded = true
            return .fail(error)
        }
    }

    private func request(_ url: CollectionURL) -> ClientRequest {
        var target = "\(url)/changes?reset=inline"
        var hold = 0.0
        if let replica, !needsReset {
            target += "&since=\(replica.snapshot.revision)"
            // After a failure the first answer comes at once, so that the reader knows that the server is back.
            if isConnected == true, !isDoubted { hold = Self.hold }
        }
        if hold > 0 { target += "&wait=\(Int(hold))" }
        return ClientRequest(method: "GET", url: target, headers: ["Accept": "application/json"], hold: hold)
    }

    /// Takes the answer to the request, which came `seconds` after it.
    mutating func receive(_ response: ClientResponse, to request: ClientRequest, after seconds: Double) {
        let url = request.url
        isDoubted = false
        guard response.status == 200 else { return receiveRefusal(response, url, hold: request.hold ?? 0) }
        let answer: ChangesAnswer
        do throws(DecodingProblem) {
            answer = try ChangeDecoder().changesAnswer(response.body)
        } catch {
            return misfit(ClientError(.notMedley, "\(url) gives no changes", cause: error.detail))
        }
        apply(answer, isEarly: seconds < (request.hold ?? 0) / 2, url)
    }

    /// Takes it that there was no answer.
    mutating func receive(_ error: ClientError) {
        if error.code == .unreachable { lose(error, asked: nil) } else { failure = error }
    }

    // MARK: Answers

    private mutating func apply(_ answer: ChangesAnswer, isEarly: Bool, _ url: String) {
        let before = replica?.snapshot
        let isFitting =
            answer.isReset || (!needsReset && before != nil && answer.from == before?.revision)
        guard let changes = answer.changes, isFitting else {
            return misfit(ClientError(.inconsistent, "\(url) does not lead on from what is held"))
        }
        if !answer.isReset, answer.to == before?.revision, changes.isEmpty { return stay(isEarly: isEarly) }
        var next = replica ?? Replica()
        do throws(ChangeError) {
            try next.apply(changes, isReset: answer.isReset, to: answer.to)
        } catch {
            let cause = "\(error.code) \"\(error.subject)\""
            return misfit(ClientError(.inconsistent, "\(url) does not fit what is held", cause: cause))
        }
        connect()
        isProven = true
        if !answer.isReset { misfits = 0 }
        (earlyAnswers, needsReset, isGone, absences) = (0, false, false, 0)
        replica = next
        events.append(
            .updated(
                CollectionUpdate(before: before, snapshot: next.snapshot, changes: changes, isReset: answer.isReset)))
    }

    /// Nothing has changed.
    private mutating func stay(isEarly: Bool) {
        connect()
        isProven = true
        // A server that stops lets its polls go, and one that does not hold any would be asked without a break.
        earlyAnswers = isEarly ? earlyAnswers + 1 : 0
        if isEarly { pause = retries.pause(after: earlyAnswers, asked: nil) }
    }

    private mutating func receiveRefusal(_ response: ClientResponse, _ url: String, hold: Double) {
        let error = Endpoint.error(for: response, from: url)
        if response.status == 401 || error.problem?.status == 403 {
            // A held poll ends when its token grants something else, too: whether it grants enough, the next one tells.
            // One that was withdrawn does not come back, whoever on the way says so.
            if hold > 0, response.status == 401 { isDoubted = true } else { failure = error }
            return
        }
        if Endpoint.isPassing(response) { return lose(error, asked: RetryAfter.seconds(response)) }
        switch error.problem?.code {
        case "collection-not-found":
            connect()
            isProven = true
            if !isGone { events.append(.gone) }
            isGone = true
            replica = nil
            needsReset = false
            absences += 1
            pause = min(retries.pause(after: absences, asked: nil), Self.longestAbsence)
        case "revision-gone", "revision-unknown", "lineage-changed": misfit(error)
        // A proxy says so while the server behind it is replaced: no word of a server that has answered before.
        case nil where isProven: lose(error, asked: RetryAfter.seconds(response))
        default: failure = error
        }
    }

    /// A collection that is not there is asked for at least this often, in seconds.
    private static let longestAbsence = 5.0

    private mutating func connect() {
        failures = 0
        if isConnected != true { events.append(.connected) }
        isConnected = true
    }

    private mutating func lose(_ error: ClientError, asked: Double?) {
        failures += 1
        isConnected = false
        let seconds = retries.pause(after: failures, asked: asked)
        events.append(.disconnected(error, retryIn: seconds))
        pause = seconds
    }

    /// The answer is of no use: everything is asked for, at once the first time. That is an answer too.
    private mutating func misfit(_ error: ClientError) {
        connect()
        misfits += 1
        needsReset = true
        events.append(.resynchronizing(error))
        if misfits > 1 { pause = retries.pause(after: misfits - 1, asked: nil) }
    }
}
