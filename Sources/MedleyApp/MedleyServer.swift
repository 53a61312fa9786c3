package import EventLoop
import Foundation
import HTTPCore
import HTTPServer
import Journal
import MedleyCore
import MedleyJSON
import MedleyResources
import MedleyService
import Synchronization

/// A running service: library, committer, routes and loops, wired together.
package final class MedleyServer: Sendable {
    private let committer: Committer
    /// What keeps the collections, `nil` if nothing does.
    private let store: Store?
    private let server: HTTPServer
    private let isStopping: StopFlag
    /// What keeps the tokens those of their file, `nil` if there is none.
    private let tokens: TokenWatcher?
    /// What it shows as a server that speaks TLS, `nil` on a plain one.
    private let certificate: ServedCertificate?

    private struct Store {
        let journal: SQLiteJournal
        let keeper: StoreKeeper
    }

    /// Whether the service was told to stop; asked by readiness checks.
    private final class StopFlag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    /// The server for the gauge of connections; it exists only after the service that shows the gauge.
    private final class ServerBox: Sendable {
        private let server = Mutex<HTTPServer?>(nil)
        var openConnections: Int { server.withLock { $0 }?.metrics.openConnections ?? 0 }
        func set(_ server: HTTPServer) { self.server.withLock { $0 = server } }
        func clear() { server.withLock { $0 = nil } }
    }

    private let box = ServerBox()

    /// Where it listens, with the real ports.
    package var addresses: [SocketAddress] { server.addresses }

    /// Starts a service. The samples are there before the first request is taken.
    ///
    /// - Parameters:
    ///   - log: takes lines for the operator; any thread.
    ///   - accessLog: is told of each request.
    package init(
        _ options: ServeOptions, log: @escaping @Sendable (String) -> Void = { _ in }, accessLog: AccessLog? = nil
    ) throws {
        // A mistake in these is to be told before a store is made.
        let address = try SocketAddress(parsing: options.listen)
        let policy = try AccessPolicy(options, addresses: [address])
        certificate = try options.certificate(log: log)
        let clock: @Sendable () -> Double = { Double(EventLoop.now()) / 1e9 }
        let (access, tokens) = try Self.access(options, policy, now: clock, log: log)
        self.tokens = tokens
        let opened = try options.data.map { path throws(JournalError) in
            try Self.open(StoreDirectory.absolute(path), log)
        }
        let journal = opened?.journal
        let library = Library(opened?.recovered.snapshots ?? [:])
        var limits = Committer.Limits()
        if journal != nil { limits.keptDeletions = SQLiteJournal.mostDeletions }
        var configuration = ServiceConfiguration(access: access, now: clock)
        options.limits.apply(to: &configuration.limits, &limits)
        let committer = Committer(
            library: library, journal: journal ?? MemoryJournal(), answers: opened?.recovered.answers ?? [],
            limits: limits,
            onFailure: { error in
                // The keeper tells of a store that fails, once; this is about a single batch.
                if !error.isOfStore { log("edits could not be kept: \(error.message)") }
            })
        var history = StoreKeeper.History()
        history.seconds = options.history
        store = journal.map {
            Store(journal: $0, keeper: StoreKeeper($0, committer: committer, history: history, log: log))
        }
        let isStopping = StopFlag()
        configuration.hosts = policy.hosts
        configuration.origins = options.origins.contains("*") ? .all : .listed(Set(options.origins))
        ConnectionRoom(descriptors: DescriptorLimit.current, limits: configuration.limits).apply(
            to: &configuration.limits)
        configuration.version = medleyVersion
        configuration.contract = MedleyResources.contract
        configuration.page = MedleyResources.page.map { PageFile(name: $0.name, content: $0.content) }
        configuration.module = PageFile(name: "medley.js", content: MedleyResources.scriptModule)
        configuration.readiness = {
            if isStopping.isSet { return .shuttingDown }
            return journal?.isFailing == true ? .storageFailing : .ready
        }
        if options.sample {
            try Self.loadSamples(into: committer, library, lineage: configuration.makeLineage)
        }
        let box = box
        let service = Service(
            library: library, committer: committer, configuration: configuration,
            metrics: ServiceMetrics(connections: { box.openConnections }))
        server = try HTTPServer(
            configuration: Self.serving(options, address, configuration.limits, certificate?.identity),
            handler: service,
            observer: accessLog)
        box.set(server)
        self.committer = committer
        self.isStopping = isStopping
        store?.keeper.start()
        tokens?.start()
    }

    /// What the server holds to by itself: just what `GET /v1` tells.
    private static func serving(
        _ options: ServeOptions, _ address: SocketAddress, _ limits: ServiceLimits, _ identity: TLSIdentity?
    ) -> ServerConfiguration {
        var serving = ServerConfiguration(addresses: [address], loops: options.loops)
        serving.limits = limits.ofRequests
        serving.maxConnections = limits.connections
        serving.connectionsPerAddress = limits.connectionsPerAddress
        serving.loopbackIsExempt = limits.loopbackIsExempt
        serving.arrivingBytes = limits.arrivingBytes
        serving.unsentBytes = limits.unsentBytes
        serving.timeouts.request = UInt64(limits.requestSeconds * 1e9)
        serving.proxies = options.proxies
        serving.identity = identity
        return serving
    }

    private static func access(
        _ options: ServeOptions, _ policy: AccessPolicy, now: @escaping @Sendable () -> Double,
        log: @escaping @Sendable (String) -> Void
    ) throws -> (AccessControl, TokenWatcher?) {
        guard let path = options.tokenFile else { return (AccessControl(anonymous: policy.anonymous, now: now), nil) }
        let file = TokenFileEditor(path: path)
        if let name = options.firstToken,
            let token = try file.addFirst(Grant(name: name, right: .admin, collections: [.all]))
        {
            log("\(path) was made with the token of \(name), which is told this once: \(token)")
        }
        try file.checkPermissions()
        // Parsed as it was read, so that the first look at the file compares with just this.
        let bytes = try file.contents()
        let access = AccessControl(anonymous: policy.anonymous, tokens: try file.parse(bytes), now: now)
        return (access, TokenWatcher(file, bytes, access, log: log))
    }

    /// Reads the file of tokens and the certificate again, at once; any thread.
    package func reload() {
        tokens?.reload()
        certificate?.reload()
    }

    /// Looks at the file of tokens as the timer does: what it says counts when it was there at two looks.
    package func lookAtTokens() { tokens?.look() }

    /// Takes no more connections, finishes what runs, and returns when all is answered or `seconds` have passed; what is
    /// still open then is closed. Returns whether everything was answered.
    @discardableResult
    package func stop(grace seconds: Double) -> Bool {
        isStopping.set()
        tokens?.stop()
        let deadline = EventLoop.now() + UInt64(seconds * 1e9)
        let isDrained = server.shutdown(grace: UInt64(seconds * 1e9))
        // What waits for the committer had the same time as everything else.
        func remaining() -> Double {
            let now = EventLoop.now()
            return now < deadline ? Double(deadline - now) / 1e9 : 0
        }
        let isIdle = committer.close(within: remaining())
        box.clear()
        if let store {
            // A moment is always left to it, for the piece that it is at; a disk that hangs gets no more than that.
            let isStill = store.keeper.stop(within: max(remaining(), 1))
            // Without this the next start has the log to read; what was kept is safe either way.
            if isIdle, isStill { try? store.journal.close() }
        }
        return isDrained && isIdle
    }

    /// Opens a store and tells of it: how long it takes depends on what it holds, and a new one may be a surprise.
    private static func open(
        _ path: String, _ log: @Sendable (String) -> Void
    ) throws(JournalError) -> (journal: SQLiteJournal, recovered: RecoveredState) {
        let isThere = StoreDirectory.holdsStore(path)
        if isThere { log("medley recovers \(path)") }
        let start = EventLoop.now()
        let opened = try SQLiteJournal.open(path)
        if isThere {
            let snapshots = opened.recovered.snapshots.values
            let count = snapshots.reduce(0) { $0 + $1.itemCount }
            let seconds = (Double(EventLoop.now() - start) / 1e8).rounded() / 10
            log("medley recovered \(snapshots.count) collections with \(count) items in \(seconds) s")
        } else {
            log("medley made a new store in \(path)")
        }
        for path in StoreDirectory.openToOthers(path) {
            log("others than its owner have rights to \(path): chmod go= takes them away")
        }
        return opened
    }

    private static func loadSamples(
        into committer: Committer, _ library: Library, lineage: @escaping @Sendable () -> String
    ) throws {
        let decoder = SnapshotDecoder()
        for (id, bytes) in MedleyResources.samples where library.snapshot(of: id) == nil {
            let content = try decoder.content(bytes)
            let snapshot = try Snapshot(lineage: lineage(), content: content)
            committer.submit(Edit(collection: id) { _ in .publish(snapshot, Answer(status: 201)) }) { _ in }
        }
        committer.waitUntilIdle()
    }
}
