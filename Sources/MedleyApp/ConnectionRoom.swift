import MedleyService

/// How many connections, and how many requests that wait, the process has descriptors for.
struct ConnectionRoom {
    /// The most connections.
    let connections: Int
    /// The most held polls and streams. They leave a quarter of the connections to requests that are answered at once, so
    /// that edits and reads come through however many wait.
    let waiting: Int
    /// The most connections of one client network.
    let connectionsPerAddress: Int
    /// The most held polls and streams of one client address; they leave a quarter of its connections, likewise.
    let waitingPerAddress: Int

    /// The most connections, whatever the system lets the process have.
    private static let mostConnections = 30_000
    /// Descriptors for the store, the loops, and files that are opened now and then.
    private static let reserve = 128

    /// What there is room for.
    ///
    /// - Parameters:
    ///   - descriptors: how many the process may have.
    ///   - limits: the most connections of one client network, and how many may wait at most.
    init(descriptors: Int, limits: ServiceLimits) {
        connections = min(Self.mostConnections, max(descriptors - Self.reserve, 16))
        waiting = min(limits.waiting, connections / 4 * 3)
        // It takes four clients at least to fill a server.
        connectionsPerAddress = min(limits.connectionsPerAddress, connections / 4)
        waitingPerAddress = min(limits.waitingPerAddress, connectionsPerAddress / 4 * 3)
    }

    /// Makes it the service's limits.
    func apply(to limits: inout ServiceLimits) {
        limits.connections = connections
        limits.connectionsPerAddress = connectionsPerAddress
        limits.waiting = waiting
        limits.waitingPerAddress = waitingPerAddress
    }
}
