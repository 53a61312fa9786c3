import HTTPCore
import Synchronization

/// How many requests may wait, in all and for each client address, and how many do.
final class WaitingPlaces: Sendable {
    /// What a place is for.
    enum Kind: Sendable {
        case poll
        case stream
    }

    private struct State {
        var polls = 0
        var streams = 0
        var byAddress: [NetworkAddress: Int] = [:]
    }

    private let state = Mutex(State())
    private let limits: ServiceLimits

    init(_ limits: ServiceLimits) { self.limits = limits }

    /// The number of held polls and of open streams.
    var counts: (polls: Int, streams: Int) { state.withLock { ($0.polls, $0.streams) } }

    /// A place for a request from an address, until the object goes; never at the cost of one who has a place.
    ///
    /// A proxy on this machine that is not believed stands for many clients: loopback addresses have no limit of their own.
    func take(_ kind: Kind, for address: String) throws(Problem) -> WaitingPlace {
        let address = NetworkAddress(address) ?? .unknown
        let key = limits.loopbackIsExempt && address.isLoopback ? nil : address.clientNetwork
        let refusal = state.withLock { state -> ProblemCode? in
            if state.polls + state.streams >= limits.waiting { return .overloaded }
            if let key, state.byAddress[key, default: 0] >= limits.waitingPerAddress { return .tooManyRequests }
            if let key { state.byAddress[key, default: 0] += 1 }
            if kind == .poll { state.polls += 1 } else { state.streams += 1 }
            return nil
        }
        switch refusal {
        case nil: return WaitingPlace(of: self, kind, key)
        case .overloaded:
            throw ProblemCode.overloaded.problem("Too many requests wait for changes.").with("limit", limits.waiting)
        case let code?:
            throw code.problem("Too many requests from this address wait for changes.")
                .with("limit", limits.waitingPerAddress)
        }
    }

    fileprivate func give(back kind: Kind, _ key: NetworkAddress?) {
        state.withLock { state in
            if kind == .poll { state.polls -= 1 } else { state.streams -= 1 }
            guard let key, let count = state.byAddress[key] else { return }
            state.byAddress[key] = count > 1 ? count - 1 : nil
        }
    }
}

/// A place of someone who waits; it is free again when the object goes.
final class WaitingPlace: Sendable {
    private let places: WaitingPlaces
    private let kind: WaitingPlaces.Kind
    private let key: NetworkAddress?

    fileprivate init(of places: WaitingPlaces, _ kind: WaitingPlaces.Kind, _ key: NetworkAddress?) {
        self.places = places
        self.kind = kind
        self.key = key
    }

    deinit { places.give(back: kind, key) }
}
