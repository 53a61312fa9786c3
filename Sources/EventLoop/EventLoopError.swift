internal import CLibevent
import Glibc

/// What went wrong in a loop, a listener or a stream.
package struct EventLoopError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Hashable, Sendable {
        /// A loop or its thread could not be made.
        case loopNotMade
        /// An address is not one that can be listened on.
        case invalidAddress
        /// The address is in use by another process.
        case addressInUse
        /// A listening socket could not be made.
        case listenFailed
        /// The peer has reset the connection or is gone.
        case connectionLost
        /// A certificate or its key cannot be used.
        case badCertificate
    }

    /// The kind of failure.
    package let code: Code
    /// What was tried, for the log.
    package let message: String
    /// The system's error number, 0 if there is none.
    package let cause: Int32

    /// Creates an error.
    package init(_ code: Code, _ message: String, cause: Int32 = 0) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message with the system's own words.
    package var description: String {
        guard cause != 0, let words = unsafe strerror(cause) else { return message }
        return unsafe "\(message): \(String(cString: words))"
    }
}
