import Dispatch
import EventLoop
import MedleyService
import Synchronization

/// Keeps the tokens in force those of a file: reads it again when it is told to, and when it has changed.
final class TokenWatcher: Sendable {
    private struct State {
        /// The bytes whose tokens are in force.
        var current: [UInt8]
        /// Other bytes, which were there at the last look; they count if they are still there at the next.
        var candidate: [UInt8]?
        /// What the system knew of the file when it was last read, if it was the same as before or could not be used, and
        /// long enough ago that it tells of each change since.
        var stamp: RegularFile.Stamp?
        /// What was said last of a file that cannot be used, so that it is said once.
        var complaint: String?
    }

    private let file: TokenFileEditor
    private let access: AccessControl
    private let log: @Sendable (String) -> Void
    private let now: @Sendable () -> Int
    private let readsFile: @Sendable () -> Void
    private let state: Mutex<State>
    private let isStopped = Atomic(false)
    private let queue = DispatchQueue(label: "medley.tokens")

    /// Between two looks at the file, in milliseconds.
    private static let interval = 500

    /// Creates a watcher of a file whose tokens are in force.
    ///
    /// - Parameters:
    ///   - now: the time of day in milliseconds since 1970.
    ///   - readsFile: told each time that the file is read.
    init(
        _ file: TokenFileEditor, _ bytes: [UInt8], _ access: AccessControl,
        now: @escaping @Sendable () -> Int = EventLoop.wallMilliseconds,
        readsFile: @escaping @Sendable () -> Void = {}, log: @escaping @Sendable (String) -> Void
    ) {
        self.now = now
        self.readsFile = readsFile
        self.file = file
        self.access = access
        self.log = log
        state = Mutex(State(current: bytes))
    }

    /// Looks at the file from now on, on a thread of its own, until it is told to stop or nobody holds it any more.
    func start() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.interval)) { [weak self] in
            guard let self, !isStopped.load(ordering: .acquiring) else { return }
            look()
            start()
        }
    }

    /// Looks no more.
    func stop() { isStopped.store(true, ordering: .releasing) }

    /// Reads the file again if it is another than before and was so at the last look: one that is being written is left
    /// alone.
    func look() {
        state.withLock { state in
            if let known = state.stamp, (try? RegularFile.stamp(of: file.path)) == known { return }
            state.stamp = nil
            guard let (bytes, stamp) = read(&state) else { return }
            guard bytes != state.current else {
                state.candidate = nil
                state.complaint = nil
                if stamp.isSettled(at: now()) { state.stamp = stamp }
                return
            }
            guard state.candidate == bytes else {
                state.candidate = bytes
                return
            }
            take(bytes, &state)
            if stamp.isSettled(at: now()) { state.stamp = stamp }
        }
    }

    /// Reads the file again at once.
    func reload() {
        state.withLock { state in
            state.complaint = nil
            if let (bytes, _) = read(&state) { take(bytes, &state) }
        }
    }

    private func read(_ state: inout State) -> (bytes: [UInt8], stamp: RegularFile.Stamp)? {
        readsFile()
        do throws(TokenFileEditor.Failure) { return try file.contentsWithStamp() } catch {
            complain(error.message, &state)
            return nil
        }
    }

    private func take(_ bytes: [UInt8], _ state: inout State) {
        do throws(TokenFileEditor.Failure) {
            try file.checkPermissions()
            let tokens = try file.parse(bytes)
            access.replace(tokens)
            state = State(current: bytes)
            log("\(tokens.tokens.count) tokens of \(file.path) are in force")
        } catch { complain(error.message, &state) }
    }

    /// A file that cannot be used takes nobody's token away, nor gives one.
    private func complain(_ message: String, _ state: inout State) {
        let message = "\(message); the tokens stay those that were in force"
        guard state.complaint != message else { return }
        state.complaint = message
        log(message)
    }
}
