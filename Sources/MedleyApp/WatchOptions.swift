package import MedleyClient
package import MedleyCore

/// What `medley watch` is asked for.
package struct WatchOptions: Sendable {
    /// The collection.
    package var url: CollectionURL
    /// The revision from which on changes are told; `nil` is the current one.
    package var since: Revision?
    /// Whether changes are printed as JSON.
    package var isJSON = false
    /// The token that is shown.
    package var access = ClientAccess()

    /// How the command is used.
    package static let usage = """
        usage: medley watch http://HOST:PORT/v1/collections/NAME [options]

        Follows a collection and prints a line for each thing that changes, from now on, until Ctrl-C.

          --since REVISION   begin with what has changed since a revision, such as k3f9a2b1-42
          --json             print {"from":…,"to":…,"changes":[…]} for each change instead, one object a line; after a
                             "reset":true everything held is dropped, and "from" is null
        \(ClientAccess.usage(column: 21))

        A server that goes away is waited for, and so is a collection that is not there or is deleted; what was missed is
        printed afterwards. Standard error tells of that, and where it starts over because the server no longer knows what
        changed. The exit status is 0 after Ctrl-C or SIGTERM, 1 if the server refuses, as when the token is withdrawn, 2
        if the arguments are wrong.
        """

    /// A mistake in the arguments.
    package struct UsageError: Error, Hashable, Sendable {
        /// What is wrong, for the user.
        package let message: String
    }

    /// Reads the arguments behind `watch`.
    package init(_ arguments: [String]) throws(UsageError) {
        var url: CollectionURL?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch parts[0] {
            case "--json" where parts.count == 1: isJSON = true
            case "--token": throw UsageError(message: ClientAccess.refusal)
            case "--token-from":
                guard let path = parts.count == 2 ? parts[1] : rest.popFirst(), !path.isEmpty else {
                    throw UsageError(message: "--token-from needs a value")
                }
                access.tokenFile = path
            case "--since":
                guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw UsageError(message: "--since needs a value")
                }
                guard let revision = Revision(text) else {
                    throw UsageError(message: "--since takes a revision such as k3f9a2b1-42, not \"\(text)\"")
                }
                since = revision
            case let option where option.hasPrefix("-"): throw UsageError(message: "unknown option \(argument)")
            default:
                guard url == nil else { throw UsageError(message: "one collection at a time: \(argument)") }
                do throws(ClientError) {
                    url = try CollectionURL(argument)
                } catch {
                    throw UsageError(message: error.message)
                }
            }
        }
        guard let url else { throw UsageError(message: "which collection? Give its URL") }
        self.url = url
    }
}
