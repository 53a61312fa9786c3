package import MedleyCore
import MedleyJSON

/// What a service is told from outside.
package struct ServiceConfiguration: Sendable {
    /// Whether the service can serve.
    package enum Readiness: Sendable {
        /// It can.
        case ready
        /// It was told to stop.
        case shuttingDown
        /// Edits cannot be kept at the moment; reads work.
        case storageFailing
    }

    /// Which origins a browser lets read the answers (CORS).
    package enum Origins: Sendable {
        /// Those listed; none if the list is empty.
        case listed(Set<String>)
        /// All.
        case all
    }

    /// The version that the service document names.
    package var version = "0.1.0"
    /// The limits.
    package var limits = ServiceLimits()
    /// The text of `/openapi.yaml`.
    package var contract: [UInt8] = []
    /// The files of the web page, `index.html` among them; without them there is no page.
    package var page: [PageFile] = []
    /// `/medley.js`; without it there is none.
    package var module: PageFile?
    /// The origins of foreign pages.
    package var origins = Origins.listed([])
    /// Who may do what.
    package var access: AccessControl
    /// The names under which the service may be asked; `nil` for any.
    package var hosts: HostNames?
    /// Asked for `/readyz`; any thread.
    package var readiness: @Sendable () -> Readiness = { .ready }
    /// Makes the lineage of a new collection: random, `[a-z0-9]`.
    package var makeLineage: @Sendable () -> String = { Self.randomLineage() }
    /// Makes the id of an item that comes without one.
    package var makeItemID: @Sendable () -> ItemID = { .random() }
    /// A clock that never goes back, in seconds.
    package var now: @Sendable () -> Double

    /// The defaults; who may do what has none, so that nobody opens a service by leaving something out.
    package init(access: AccessControl, now: @escaping @Sendable () -> Double) {
        self.access = access
        self.now = now
    }

    /// Eight characters, about 41 bits.
    package static func randomLineage() -> String {
        let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<8).compactMap { _ in characters.randomElement() })
    }
}
