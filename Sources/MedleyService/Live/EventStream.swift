import HTTPCore
import Journal
import MedleyCore
import Synchronization

/// A stream of one collection's changes, of some, or of all, as Server-Sent Events.
///
/// It remembers what the client was sent of each collection and which of them have moved since; an event is made when the
/// socket can take it. So a client that reads slowly gets one net difference in place of a backlog.
final class EventStream: LiveStream, Watcher {
    /// What is followed.
    enum Scope: Sendable {
        case one(String)
        case some([String])
        case all
    }

    private let service: Service
    private let scope: Scope
    private let watchers: LoopWatchers
    private let loop: any LoopExecutor
    private let place: WaitingPlace
    private let standing: Standing
    /// Used on the loop only; the lock, never contended, says so to the compiler. It is not held while the connection is
    /// woken, since that asks for the next piece.
    private let state: Mutex<State>

    private struct State {
        var positions: [String: StreamPosition]
        /// The collections of which there may be something to tell, the first of them next.
        var moved: [String] = []
        /// The collections that are there from the start, as long as nothing was told of them.
        var starting: Set<String> = []
        /// What goes out next.
        var pieces: [LivePiece] = []
        /// The text of a reset that goes out behind `pieces`: whatever its length, a piece at a time.
        var reset: Reset?
        var isDraining = false
        var isOver = false
        var isSignDue = false
        /// When something was sent last, by the loop's clock.
        var lastSent: UInt64 = 0
        var connection: (any LiveConnection)?
    }

    private struct Reset {
        var text: PlainPieces
        /// Whether the text's first byte, its brace, has been replaced by the collection's name.
        var skipsBrace: Bool
    }

    /// The most collections that an event's id tells the revisions of.
    private static let mostPositions = 64
    /// After so many nanoseconds of silence a sign of life is due.
    private static let silence: UInt64 = 14_000_000_000
    private static let sign = LivePiece(EventText.comment)

    init(
        _ service: Service, _ scope: Scope, _ positions: [String: StreamPosition], _ place: WaitingPlace,
        for caller: Caller, on loop: any LoopExecutor
    ) {
        self.service = service
        self.scope = scope
        self.place = place
        standing = Standing(caller, service.configuration.access)
        self.loop = loop
        watchers = service.switchboard.watchers(on: loop)
        state = Mutex(State(positions: positions))
    }

    private var followed: [String]? {
        switch scope {
        case .one(let collection): [collection]
        case .some(let collections): collections
        case .all: nil
        }
    }

    // MARK: What the connection and the switchboard tell

    func began(_ connection: any LiveConnection) {
        watchers.add(self, to: followed)
        // Looked at after the registration, so that nothing is missed between the two.
        let collections = followed ?? service.library.all().map(\.collection).filter(standing.mayRead)
        let now = loop.now
        state.withLock { state in
            state.connection = connection
            state.lastSent = now
            // Clients of a server that went away come back one after the other.
            state.pieces = [LivePiece(EventText.retry(.random(in: 2_000...5_000)))]
            // What a client of all held and is no longer there is told too.
            let held = state.positions.keys.filter { !collections.contains($0) }.sorted()
            state.moved = collections + held
            state.starting = Set(state.moved)
        }
    }

    func published(_ collections: Set<String>) {
        let connection = state.withLock { state in
            let new = collections.subtracting(state.moved)
            if let followed {
                state.moved += followed.filter(new.contains)
            } else {
                state.moved += new.filter(standing.mayRead).sorted()
            }
            return state.connection
        }
        connection?.wake()
    }

    func tick(now: UInt64) {
        let holds = standing.holds
        let connection = state.withLock { state -> (any LiveConnection)? in
            if !holds { return state.connection }
            guard now >= state.lastSent + Self.silence, !state.isSignDue else { return nil }
            state.isSignDue = true
            return state.connection
        }
        connection?.wake()
    }

    func drain() { state.withLock { $0.isDraining = true } }

    func ended() {
        watchers.remove(self, from: followed)
        state.withLock { state in
            state.connection = nil
            state.reset = nil
        }
    }

    // MARK: What is sent

    func next() -> LiveStep {
        // In the middle of an event, even: what is cut off counts for nothing with clients.
        guard standing.holds else { return .end }
        let now = loop.now
        return state.withLock { state in
            guard let piece = nextPiece(&state) else { return state.isOver ? .end : .wait }
            state.lastSent = now
            state.isSignDue = false
            return .piece(piece)
        }
    }

    private func nextPiece(_ state: inout State) -> LivePiece? {
        while true {
            if !state.pieces.isEmpty { return Self.takeFirst(of: &state.pieces) }
            if let piece = Self.nextPieceOfReset(&state) { return piece }
            if state.isOver { return nil }
            if state.isDraining {
                state.isOver = true
                return LivePiece(EventText.event("bye", data: "{}".utf8))
            }
            guard !state.moved.isEmpty else { return state.isSignDue ? Self.sign : nil }
            prepareEvent(of: Self.takeFirst(of: &state.moved), &state)
        }
    }

    /// Takes the first of a list. One that is empty then keeps no memory, since streams are silent most of the time.
    private static func takeFirst<Element>(of list: inout [Element]) -> Element {
        guard list.count == 1 else { return list.removeFirst() }
        defer { list = [] }
        return list[0]
    }

    private static func nextPieceOfReset(_ state: inout State) -> LivePiece? {
        guard state.reset != nil else { return nil }
        guard var text = state.reset?.text.next() else {
            state.reset = nil
            return LivePiece(EventText.end)
        }
        if state.reset?.skipsBrace == true {
            text.removeFirst()
            state.reset?.skipsBrace = false
        }
        // A piece is never empty, and the brace never alone in one.
        return LivePiece(text)
    }

    /// Puts together what is to be told of a collection, if there is something.
    private func prepareEvent(of collection: String, _ state: inout State) {
        let position = state.positions[collection] ?? .none
        guard standing.mayRead(collection), let snapshot = service.library.snapshot(of: collection) else {
            state.starting.remove(collection)
            if position == .gone { return }
            state.positions[collection] = .gone
            state.pieces = [LivePiece(EventText.event("gone", data: EventText.object(naming: collection)))]
            return
        }
        let isFirst = state.starting.remove(collection) != nil
        if state.starting.isEmpty { state.starting = [] }
        let since: Revision?
        switch position {
        case .revision(let revision):
            if revision == snapshot.revision, !isFirst { return }
            since = revision
        // A stream of several only says where it starts: sending all of them to whoever asks would be too much.
        case .none: since = isOfOne || !isFirst ? nil : snapshot.revision
        case .unknown, .gone: since = nil
        }
        state.positions[collection] = .revision(snapshot.revision)
        let difference = since.map { service.differences.difference(since: $0, of: snapshot, collection) }
        if let piece = isOfOne ? difference?.event : difference?.namedEvent {
            state.pieces = (isOfOne ? nil : id(state)).map { [LivePiece($0), piece] } ?? [piece]
            return
        }
        var opening = EventText.opening("reset", id: isOfOne ? snapshot.revision.description : nil)
        if !isOfOne {
            opening = (id(state) ?? []) + opening + EventText.opening(naming: collection)
        }
        state.pieces = [LivePiece(opening)]
        state.reset = Reset(text: PlainPieces(ResetDocument.make(snapshot).makeParts()), skipsBrace: !isOfOne)
    }

    private var isOfOne: Bool { if case .one = scope { true } else { false } }

    /// The id of an event of several collections: where the client will stand with each.
    private func id(_ state: State) -> [UInt8]? {
        guard state.positions.count <= Self.mostPositions else { return nil }
        let text = state.positions.sorted { $0.key < $1.key }.compactMap { collection, position in
            if case .revision(let revision) = position { "\(collection)=\(revision)" } else { nil }
        }
        return EventText.id(text.joined(separator: ","))
    }
}
