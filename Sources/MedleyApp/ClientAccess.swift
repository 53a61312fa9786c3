import Foundation
import HTTPCore
package import MedleyClient

/// How a command shows a server who asks: by a token out of a file or the environment, never out of the arguments, which
/// every user of the machine can list.
package struct ClientAccess: Hashable, Sendable {
    /// The file whose one line is the token; `nil` for the variable `MEDLEY_TOKEN`.
    package var tokenFile: String?

    /// Why there is no token, in a sentence that does not show it.
    package struct Failure: Error, Hashable, Sendable {
        /// What is wrong.
        package let message: String
    }

    /// The option in a command's usage; its text begins at the column that is given.
    static func usage(column: Int) -> String {
        let option = "  --token-from FILE"
        let gap = String(repeating: " ", count: max(2, column - option.count))
        let indent = String(repeating: " ", count: column)
        return """
            \(option)\(gap)the token to show to the server, as FILE's only line (default: the variable MEDLEY_TOKEN);
            \(indent)never an argument, since those can be seen in the list of processes
            """
    }

    /// What is said to someone who gives a token as an argument.
    static let refusal =
        "--token is no option, since arguments can be seen in the list of processes: "
        + "set MEDLEY_TOKEN, or give a file that holds the token by --token-from FILE"

    /// The token to show; `nil` if there is none. Reads the file.
    package func token(environment: [String: String]) throws(Failure) -> AccessToken? {
        if let tokenFile { return try token(inFile: tokenFile) }
        guard let text = environment[Self.variable], !text.isEmpty else { return nil }
        guard let token = AccessToken(text) else { throw Failure(message: "\(Self.variable) is not a token") }
        return token
    }

    /// The token to show to a collection's server, with a warning to standard error if others can read it on the way.
    func token(
        for url: CollectionURL, of command: String, _ environment: [String: String], _ output: CommandOutput
    ) throws(Failure) -> AccessToken? {
        guard let token = try token(environment: environment) else { return nil }
        if let warning = Self.warning(for: url) { output.error("medley \(command): \(PrintableText.of(warning))\n") }
        return token
    }

    private static let variable = "MEDLEY_TOKEN"
    private static let mostBytes = 8_192

    private func token(inFile path: String) throws(Failure) -> AccessToken {
        let text: String
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            text = String(decoding: try handle.read(upToCount: Self.mostBytes) ?? Data(), as: UTF8.self)
        } catch {
            throw Failure(message: "--token-from: \(path) cannot be read: \(error.localizedDescription)")
        }
        guard let token = AccessToken(text) else {
            throw Failure(message: "--token-from: \(path) is not a file whose only line is a token")
        }
        return token
    }

    /// What is to be said before a token goes to a collection's server: over plain HTTP, unless that stays on this
    /// machine, others can read it. `nil` if there is nothing to say.
    package static func warning(for url: CollectionURL) -> String? {
        guard let parts = URLComponents(string: url.description), parts.scheme?.lowercased() == "http",
            let host = parts.host, !isLoopback(host)
        else { return nil }
        return "the token goes to \(host) without encryption, and can be read on the way; https:// would keep it secret"
    }

    private static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return name == "localhost" || name.hasSuffix(".localhost") || NetworkAddress(name)?.isLoopback == true
    }

    /// An error in words that say what to do about a token that is missing or not enough.
    ///
    /// - Parameters:
    ///   - hasToken: whether one was shown.
    ///   - action: what was to be done, such as `follow mix`.
    package static func explanation(of error: ClientError, hasToken: Bool, action: String) -> String {
        switch (error.code, hasToken) {
        case (.unauthenticated, false):
            "the server wants a token: set MEDLEY_TOKEN, or give --token-from FILE (\(error))"
        case (.unauthenticated, true): "the server does not take the token (\(error))"
        case (.forbidden, false): "nobody may \(action) without a token (\(error))"
        case (.forbidden, true): "this token has no right to \(action) (\(error))"
        case (.refused, true) where error.problem?.code == "collection-not-found": "\(error) \(notForIt)"
        default: "\(error)"
        }
    }

    /// What is added where a collection is not there: of one that a token is not for, the server says the same.
    static let notForIt = "Or the token is not for it."
}
