import Glibc
import Synchronization

/// A certificate with its chain and its key, which streams of a listener show their peers; any thread.
///
/// A process that uses one ignores SIGPIPE from then on.
package final class TLSIdentity: Sendable {
    private let certificate: String
    private let key: String
    private let context: Mutex<TLSContext>

    /// Reads two PEM files: the certificate followed by those that lead to its root, and its key without a passphrase.
    ///
    /// Throws what is wrong with them, in a sentence that names the file: among other things a key that every user of the
    /// machine may read, or that is another certificate's.
    package init(certificate: String, key: String) throws(EventLoopError) {
        self.certificate = certificate
        self.key = key
        context = Mutex(try TLSContext(certificate: certificate, key: key))
        // OpenSSL writes without MSG_NOSIGNAL.
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Reads the files again, for the connections from now on; those that are open go on as they are. If it throws, what
    /// was in force stays so.
    package func reload() throws(EventLoopError) {
        let new = try TLSContext(certificate: certificate, key: key)
        context.withLock { $0 = new }
    }

    /// Whether the certificate's time is over, by the system's clock.
    package var hasExpired: Bool { context.withLock { $0 }.hasExpired }

    /// What a new connection speaks with.
    func session(for descriptor: Int32) -> TLSSession {
        TLSSession(context.withLock { $0 }, descriptor: descriptor)
    }
}
