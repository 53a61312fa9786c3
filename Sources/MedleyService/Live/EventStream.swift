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
    /// Where the client stands with collections that `positions` does not name.
    private let otherwise: StreamPosition
    /// Those that a stream of some follows, to look them up in.
    private let named: Set<String>
    private let watchers: LoopWatchers
    private let loop: any LoopExecutor
    private let place: WaitingPlace
    private let standing: Standing
    /// Used on the loop only; the lock, never contended, says so to the compiler. It is not held while the connection is
    /// woken, since that asks for the next piece.
    private let state: Mutex<State>

    private struct State {
        var positions: [String: StreamPosition]
        /// The collections of which there may be something to tell.
        var moved = MovedCollections()
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
    /// From so many bytes on a difference is sent as a reset: that is made piece by piece and its bytes are shared, while
    /// each of many clients with a revision of its own would have the loop make its own and hold it.
    private static let mostBytes = 1 << 20
    /// After so many nanoseconds of silence a sign of life is due.
    private static let silence: UInt64 = 14_000_000_000
    private static let sign = LivePiece(EventText.comment)

    init(
        _ service: Service, _ scope: Scope, _ positions: [String: StreamPosition], otherwise: StreamPosition,
        _ place: WaitingPlace, for caller: Caller, on loop: any LoopExecutor
    ) {
        self.service = service
        self.scope = scope
        self.otherwise = otherwise
        if case .some(let collections) = scope { named = Set(collections) } else { named = [] }
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
            state.starting = Set(collections).union(state.positions.keys)
            state.moved.append(collections)
            state.moved.append(state.positions.keys.sorted())
        }
    }

    func published(_ collections: Set<String>) {
        let connection = state.withLock { state in
            // What was published together comes together, also to those who follow only a part of it.
            switch scope {
            case .one(let collection): if collections.contains(collection) { state.moved.append([collection]) }
            case .some: state.moved.append(collections.intersection(named).sorted())
            case .all: state.moved.append(collections.filter(standing.mayRead).sorted())
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
            guard let collection = state.moved.takeFirst() else { return state.isSignDue ? Self.sign : nil }
            prepareEvent(of: collection, &state)
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
        let isFirst = state.starting.remove(collection) != nil
        if state.starting.isEmpty { state.starting = [] }
        let position = state.positions[collection] ?? (isFirst ? otherwise : .none)
        guard standing.mayRead(collection), let snapshot = service.library.snapshot(of: collection) else {
            // Of one that came and went between two looks, a client of all has heard nothing.
            let isKnown = state.positions[collection] != nil || (isFirst && !isOfAll)
            // Ids that come and go must not pile up in a stream of all.
            state.positions[collection] = isOfAll ? nil : .gone
            if position == .gone || !isKnown { return }
            state.pieces = [LivePiece(EventText.event("gone", data: EventText.object(naming: collection)))]
            return
        }
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
        let difference = since.map {
            service.differences.difference(since: $0, of: snapshot, collection, atMost: Self.mostBytes)
        }
        if let piece = isOfOne ? difference?.event : difference?.namedEvent {
            state.pieces = isOfOne ? [piece] : [LivePiece(id(state)), piece]
            return
        }
        var opening = EventText.opening("reset", id: isOfOne ? snapshot.revision.description : nil)
        if !isOfOne {
            opening = id(state) + opening + EventText.opening(naming: collection)
        }
        state.pieces = [LivePiece(opening)]
        state.reset = Reset(text: PlainPieces(ResetDocument.make(snapshot).makeParts()), skipsBrace: !isOfOne)
    }

    private var isOfOne: Bool { if case .one = scope { true } else { false } }
    private var isOfAll: Bool { if case .all = scope { true } else { false } }

    /// The id of an event of several collections: where the client will stand with each.
    ///
    /// Of too many it is empty, which has the client forget the one before: half of the positions would have it told
    /// twice what it knows and never what it missed.
    private func id(_ state: State) -> [UInt8] {
        let most = Self.mostPositions
        // Checked first, so that the start of a stream of very many does not count them again for each.
        guard named.count <= most, state.positions.count <= most, state.starting.count <= most else {
            return EventText.id("")
        }
        // Those that the client came back with are among both.
        let untold = state.starting.count { state.positions[$0] == nil }
        guard state.positions.count + untold <= most else { return EventText.id("") }
        let text = state.positions.sorted { $0.key < $1.key }.compactMap { collection, position in
            if case .revision(let revision) = position { "\(collection)=\(revision)" } else { nil }
        }
        return EventText.id(text.joined(separator: ","))
    }
}
