package import EventLoop
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
    /// - Parameter log: takes lines for the operator; any thread.
    package init(_ options: ServeOptions, log: @escaping @Sendable (String) -> Void = { _ in }) throws {
        let opened = try options.data.map { path throws(JournalError) in try SQLiteJournal.open(path) }
        let journal = opened?.journal
        let library = Library(opened?.recovered.snapshots ?? [:])
        var limits = Committer.Limits()
        if journal != nil { limits.keptDeletions = SQLiteJournal.mostDeletions }
        let committer = Committer(
            library: library, journal: journal ?? MemoryJournal(), answers: opened?.recovered.answers ?? [],
            limits: limits, onFailure: { log("nothing can be kept: \($0.message)") })
        var history = StoreKeeper.History()
        history.seconds = options.history
        store = journal.map {
            Store(journal: $0, keeper: StoreKeeper($0, committer: committer, history: history, log: log))
        }
        let isStopping = StopFlag()
        var configuration = ServiceConfiguration(now: { Double(EventLoop.now()) / 1e9 })
        configuration.version = medleyVersion
        configuration.contract = MedleyResources.contract
        configuration.page = MedleyResources.page.map { PageFile(name: $0.name, content: $0.content) }
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
        let address = try SocketAddress(parsing: options.listen)
        // What `GET /v1` tells is what the server holds to.
        var serving = ServerConfiguration(addresses: [address], loops: options.loops)
        serving.limits.requestLine = configuration.limits.headBytes / 2
        serving.limits.headerBytes = configuration.limits.headBytes / 2
        serving.timeouts.request = UInt64(configuration.limits.requestSeconds * 1e9)
        server = try HTTPServer(configuration: serving, handler: service)
        box.set(server)
        self.committer = committer
        self.isStopping = isStopping
        store?.keeper.start()
    }

    /// Takes no more connections, finishes what runs, and returns when all is answered or `seconds` have passed; what is
    /// still open then is closed. Returns whether everything was answered.
    @discardableResult
    package func stop(grace seconds: Double) -> Bool {
        isStopping.set()
        let deadline = EventLoop.now() + UInt64(seconds * 1e9)
        let isDrained = server.shutdown(grace: UInt64(seconds * 1e9))
        // What waits for the committer had the same time as everything else.
        let now = EventLoop.now()
        let isIdle = committer.close(within: now < deadline ? Double(deadline - now) / 1e9 : 0)
        box.clear()
        if let store {
            store.keeper.stop()
            // Without this the next start has the log to read; what was kept is safe either way.
            if isIdle { try? store.journal.close() }
        }
        return isDrained && isIdle
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
