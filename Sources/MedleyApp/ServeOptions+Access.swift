import MedleyService

extension ServeOptions {
    /// Reads the options of access where `argument` is one of them; says whether it was.
    mutating func readAccess(_ name: String, _ value: () throws(UsageError) -> String) throws(UsageError) -> Bool {
        switch name {
        case "--token-file": tokenFile = try Self.path(try value(), name)
        case "--first-token": firstToken = try Self.tokenName(try value(), name)
        case "--allow-anonymous": anonymous = try Self.right(try value(), name)
        case "--host": hosts.append(try Self.host(try value(), name))
        case "--cors-origin": origins.append(try Self.origin(try value(), name))
        default: return false
        }
        return true
    }

    /// Reads the variables of access; an empty one is none.
    mutating func readAccess(environment: [String: String]) throws(UsageError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let text = value("MEDLEY_TOKEN_FILE") { tokenFile = try Self.path(text, "MEDLEY_TOKEN_FILE") }
        if let text = value("MEDLEY_FIRST_TOKEN") { firstToken = try Self.tokenName(text, "MEDLEY_FIRST_TOKEN") }
        if let text = value("MEDLEY_ALLOW_ANONYMOUS") { anonymous = try Self.right(text, "MEDLEY_ALLOW_ANONYMOUS") }
        for text in (value("MEDLEY_HOST") ?? "").split(separator: ",") {
            hosts.append(try Self.host(String(text), "MEDLEY_HOST"))
        }
        for text in (value("MEDLEY_CORS_ORIGIN") ?? "").split(separator: ",") {
            origins.append(try Self.origin(String(text), "MEDLEY_CORS_ORIGIN"))
        }
    }

    /// A file's path.
    static func path(_ text: String, _ name: String) throws(UsageError) -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw UsageError(message: "\(name) takes the path of a file")
        }
        return text
    }

    private static func tokenName(_ text: String, _ name: String) throws(UsageError) -> String {
        guard TokenFile.isName(text) else { throw UsageError(message: "\(name) takes a token's name, not \"\(text)\"") }
        return text
    }

    private static func right(_ text: String, _ name: String) throws(UsageError) -> Right {
        guard let right = Right(rawValue: text) else {
            throw UsageError(message: "\(name) is read, write or admin, not \"\(text)\"")
        }
        return right
    }

    private static func host(_ text: String, _ name: String) throws(UsageError) -> String {
        let isName = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !":/@,".utf8.contains($0) }
        guard !text.isEmpty, isName else {
            throw UsageError(
                message: "\(name) takes a name without scheme and port, such as nas.local, not \"\(text)\"")
        }
        return text
    }

    private static func origin(_ text: String, _ name: String) throws(UsageError) -> String {
        if text == "*" { return text }
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { text.hasPrefix($0) }), text.count > scheme.count,
            !text.dropFirst(scheme.count).utf8.contains(where: { "/?#@ ".utf8.contains($0) })
        else {
            throw UsageError(message: "\(name) takes an origin such as https://player.example, or *, not \"\(text)\"")
        }
        return text.lowercased()
    }
}
