import Dispatch
import Foundation
import Synchronization

/// Asks a command to stop at the next point where it can, as Ctrl-C does. Thread-safe.
package final class Interruption: Sendable {
    private struct State {
        var signal: Int32?
        var lastWords: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// How long the command has to reach such a point, in seconds.
    private static let grace = 5.0

    /// Nobody asks, until `raise` is called.
    package init() {}

    /// One that SIGINT and SIGTERM raise. If the command does not reach a point where it can stop within five seconds, or if
    /// the signal comes again, the process ends with the command's last words.
    package static func bySignals() -> Interruption {
        let interruption = Interruption()
        for signal in [SIGINT, SIGTERM] {
            _ = Foundation.signal(signal, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
            source.setEventHandler {
                if interruption.raise(signal) {
                    DispatchQueue.global().asyncAfter(deadline: .now() + grace) { interruption.end() }
                } else {
                    interruption.end()
                }
                // Nobody else keeps the source.
                withExtendedLifetime(source) {}
            }
            source.activate()
        }
        return interruption
    }

    /// Asks to stop; returns whether nobody had before.
    @discardableResult
    package func raise(_ signal: Int32 = SIGINT) -> Bool {
        state.withLock { state in
            guard state.signal == nil else { return false }
            state.signal = signal
            return true
        }
    }

    /// The exit status of a command that was asked to stop; `nil` if it was not.
    package var status: Int32? { state.withLock { $0.signal }.map { 128 + $0 } }

    /// Says what is done if the command must end where it is.
    func prepare(lastWords: @escaping @Sendable () -> Void) { state.withLock { $0.lastWords = lastWords } }

    private func end() {
        state.withLock { $0.lastWords }()
        _exit(status ?? 1)
    }
}
