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
        var followed = 0
        var byAddress: [NetworkAddress: Share] = [:]
    }

    /// What one client network has of it.
    private struct Share {
        var waiting = 0
        var followed = 0
    }

    private let state = Mutex(State())
    private let limits: ServiceLimits

    init(_ limits: ServiceLimits) { self.limits = limits }

    /// The number of held polls and of open streams.
    var counts: (polls: Int, streams: Int) { state.withLock { ($0.polls, $0.streams) } }

    /// A place for a request that follows so many collections, from an address, until the object goes; never at the cost of one who has a place.
    ///
    /// A proxy on this machine that is not believed stands for many clients: loopback addresses have no limit of their own.
    func take(_ kind: Kind, for address: NetworkAddress, following count: Int = 1) throws(Problem) -> WaitingPlace {
        let key = limits.loopbackIsExempt && address.isLoopback ? nil : address.clientNetwork
        let refusal = state.withLock { state -> Problem? in
            if state.polls + state.streams >= limits.waiting {
                return ProblemCode.overloaded.problem("Too many requests wait for changes.")
                    .with("limit", limits.waiting)
            }
            let share = key.flatMap { state.byAddress[$0] } ?? Share()
            if key != nil, share.waiting >= limits.waitingPerAddress {
                return ProblemCode.tooManyRequests.problem("Too many requests from this address wait for changes.")
                    .with("limit", limits.waitingPerAddress)
            }
            if key != nil, share.followed + count > limits.followedPerAddress {
                return ProblemCode.tooManyRequests.problem(
                    "Requests from this address that wait follow too many collections in all."
                ).with("limit", limits.followedPerAddress)
            }
            if state.followed + count > limits.followed {
                return ProblemCode.overloaded.problem("Those who wait follow too many collections in all.")
                    .with("limit", limits.followed)
            }
            state.followed += count
            if let key {
                state.byAddress[key] = Share(waiting: share.waiting + 1, followed: share.followed + count)
            }
            if kind == .poll { state.polls += 1 } else { state.streams += 1 }
            return nil
        }
        if let refusal { throw refusal }
        return WaitingPlace(of: self, kind, key, following: count)
    }

    fileprivate func give(back kind: Kind, _ key: NetworkAddress?, following count: Int) {
        state.withLock { state in
            state.followed -= count
            if kind == .poll { state.polls -= 1 } else { state.streams -= 1 }
            guard let key, let share = state.byAddress[key] else { return }
            state.byAddress[key] =
                share.waiting > 1 ? Share(waiting: share.waiting - 1, followed: share.followed - count) : nil
        }
    }
}

/// A place of someone who waits; it is free again when the object goes.
final class WaitingPlace: Sendable {
    private let places: WaitingPlaces
    private let kind: WaitingPlaces.Kind
    private let key: NetworkAddress?
    private let followed: Int

    fileprivate init(
        of places: WaitingPlaces, _ kind: WaitingPlaces.Kind, _ key: NetworkAddress?, following count: Int
    ) {
        followed = count
        self.places = places
        self.kind = kind
        self.key = key
    }

    deinit { places.give(back: kind, key, following: followed) }
}
