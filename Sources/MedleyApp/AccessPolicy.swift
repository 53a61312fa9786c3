import EventLoop
import MedleyService

/// Whom a server lets in without a token, and under which names it is asked.
struct AccessPolicy {
    /// Why a server does not start, in a sentence.
    struct Refusal: Error {
        let message: String
    }

    /// What those may do who show nothing.
    let anonymous: Right?
    /// The names that are checked; `nil` for none.
    let hosts: HostNames?

    /// Decides by what was asked for and where the server listens.
    ///
    /// Nobody is let in from elsewhere by leaving something out. And where anybody needs no token, a web page could act
    /// for its visitor by rebinding its name, so there names are checked.
    init(_ options: ServeOptions, addresses: [SocketAddress]) throws(Refusal) {
        let isLocal = addresses.allSatisfy(\.isLoopback)
        if let asked = options.anonymous {
            anonymous = asked
        } else if options.tokenFile == nil {
            guard isLocal else {
                let address = addresses.map(\.description).joined(separator: " ")
                throw Refusal(
                    message: """
                        others can reach \(address), and nothing says who may do what.
                          --token-file FILE lets those in who have a token (`medley token new` makes one);
                          --allow-anonymous read, write or admin lets in everyone who reaches the address.
                        """)
            }
            anonymous = .admin
        } else {
            anonymous = nil
        }
        hosts =
            anonymous == nil && options.hosts.isEmpty ? nil : HostNames(options.hosts, admitsNumbers: !isLocal)
    }
}
