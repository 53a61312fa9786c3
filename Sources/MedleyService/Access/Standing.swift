import HTTPCore
import Synchronization

/// Whether whoever waits may still be told: looked at before each thing that they are told, and at each tick.
final class Standing: Sendable {
    private let access: AccessControl
    private let caller: Mutex<Caller>

    init(_ caller: Caller, _ access: AccessControl) {
        self.access = access
        self.caller = Mutex(caller)
    }

    /// Whether what the caller showed is in force and grants what it did.
    var holds: Bool { caller.withLock { access.isStanding(&$0) } }

    /// Whether the caller may read a collection; what it may cannot change while the standing holds.
    func mayRead(_ collection: String) -> Bool { caller.withLock { $0.mayRead(collection) } }

    /// What a request is answered with whose caller's standing no longer holds.
    static var ended: Problem {
        Service.unauthenticated("The token was withdrawn or grants something else now, or the session has ended.")
    }
}
