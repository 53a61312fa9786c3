package import EventLoop
package import HTTPCore

/// Where a server listens and how much it takes.
package struct ServerConfiguration: Sendable {
    /// How long things may take, in nanoseconds.
    package struct Timeouts: Hashable, Sendable {
        /// From a request's first byte to the last of its body; longer is 408.
        package var request: UInt64 = 30_000_000_000
        /// An open connection between requests; longer and it is closed.
        package var idle: UInt64 = 75_000_000_000
        /// A response of which the client takes nothing; longer and the connection is closed.
        package var writeStall: UInt64 = 30_000_000_000
        /// How long a connection that is to close waits for the client to have read the response.
        package var linger: UInt64 = 5_000_000_000

        /// The default times.
        package init() {}
    }

    /// The addresses to listen on. A port of 0 lets the system choose one.
    package var addresses: [SocketAddress]
    /// The number of loops, each a thread.
    package var loops: Int
    /// The limits of a request's parts.
    package var limits = RequestLimits()
    /// How long things may take.
    package var timeouts = Timeouts()
    /// How many connections may be open in all; one more is answered by 503 and closed.
    package var maxConnections = 10_000
    /// How many connections of one client network may be open (an IPv4 address, or the first 64 bits of an IPv6 one); one
    /// more is answered by 503 and closed.
    package var connectionsPerAddress = 1_500
    /// Whether loopback addresses, where proxies and the operator are, have no such limit.
    package var loopbackIsExempt = true
    /// The proxies whose word counts for whom a request comes from; they have no such limit either.
    package var proxies = TrustedProxies()
    /// The certificate and key of a server that speaks TLS; `nil` for a plain one.
    package var identity: TLSIdentity?
    /// How many bytes of bodies longer than 64 KiB may be arriving in all; one more is answered by 503 and closed.
    package var arrivingBytes = 512 << 20
    /// How many bytes of responses wait for a client at most before its next request is begun.
    package var unsentBytes = 262_144
    /// How often deadlines are looked at, in nanoseconds.
    package var tick: UInt64 = 500_000_000

    /// Creates a configuration with the default limits.
    package init(addresses: [SocketAddress], loops: Int) {
        precondition(loops > 0, "a server has a loop at least")
        self.addresses = addresses
        self.loops = loops
    }
}
