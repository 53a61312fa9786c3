package import HTTPCore
package import MedleyService

/// What `medley serve` was asked for: options first, `MEDLEY_*` variables where there is none, then the defaults.
package struct ServeOptions: Hashable, Sendable {
    /// The address to listen on, `HOST:PORT`; port 0 lets the system choose.
    package var listen = "127.0.0.1:8080"
    /// The folder of the store; `nil` if nothing is kept beyond the process.
    package var data: String? = "./medley-data"
    /// How long records and deletions are kept, in seconds.
    package var history: Double = 30 * 24 * 60 * 60
    /// The number of event loops.
    package var loops: Int
    /// Whether the sample collections are there from the start.
    package var sample = false
    /// The file of tokens; `nil` if there are none.
    package var tokenFile: String?
    /// The name of a token for everything that a file of tokens begins with where there is none; `nil` to make none.
    package var firstToken: String?
    /// What those may do who show no token; `nil` if it was not said.
    package var anonymous: Right?
    /// The names under which the server is asked, besides those of loopback.
    package var hosts: [String] = []
    /// The origins of foreign pages that may read and edit; `*` for all.
    package var origins: [String] = []
    /// The form of the access log, which goes to standard output.
    package var accessLog = AccessLogForm.plain

    /// The certificate and the key of a server that speaks TLS, PEM files; both or none.
    package var tlsCertificate: String?
    package var tlsKey: String?
    /// The proxies that are believed when they tell whom a request comes from.
    package var proxies = TrustedProxies()
    /// The limits that can be chosen.
    package var limits = ServeLimits()

    /// A mistake in the arguments, in a sentence.
    package struct UsageError: Error, Hashable, Sendable {
        /// What is wrong.
        package let message: String
    }

    /// How the command is called.
    package static let usage = """
        usage: medley serve [--data DIR | --memory] [--history TIME] [--listen HOST:PORT] [--loops N] [--sample]
                            [--token-file FILE [--first-token NAME]] [--allow-anonymous RIGHT] [--host NAME]
                            [--cors-origin ORIGIN] [--tls-cert FILE --tls-key FILE] [--trust-proxy ADDRESS]
                            [--access-log FORM] [--rate N] [--max-body BYTES] [--max-collections N] [--max-items N]

          --data DIR          the folder that keeps the collections (default ./medley-data); made if it is not there
          --memory            keep collections in memory only: they end with the process
          --history TIME      how long changes can be told from, such as 30d or 12h (default 30d); the latest 100,000
                              deletions of a collection are kept however old they are
          --listen HOST:PORT  where to listen (default 127.0.0.1:8080); [::1]:8080 for IPv6, port 0 for any
          --token-file FILE   who may do what: the tokens that `medley token new` adds to it; read again when it changes and
                              on SIGHUP
          --first-token NAME  if FILE is not there, makes it with a token for everything and prints that once
          --allow-anonymous RIGHT
                              what may be done without a token: read, write, or admin (create and delete collections too).
                              Without a token file it is everything on loopback, and no other address is listened on
          --host NAME         a name under which the server is asked besides localhost, checked wherever something may be
                              done without a token (where others reach it any numeric address will do); * for any.
                              May be repeated
          --cors-origin ORIGIN
                              an origin whose pages may read and edit, such as https://player.example, or *; may be repeated
        \(networkUsage)
          --access-log FORM   one line for each request on standard output: plain (the default), json, or off
        \(usageOfLimits)
          --loops N           event loops, 1 to 256 (default: one for each core)
          --sample            add those of the sample collections mix, frameworks and characters that are not there

        Each option can be given as a variable too: MEDLEY_DATA, MEDLEY_MEMORY, MEDLEY_HISTORY, MEDLEY_LISTEN,
        MEDLEY_LOOPS, MEDLEY_SAMPLE (1 or true, 0 or false), MEDLEY_TOKEN_FILE, MEDLEY_FIRST_TOKEN,
        MEDLEY_ALLOW_ANONYMOUS, MEDLEY_TLS_CERT, MEDLEY_TLS_KEY, MEDLEY_ACCESS_LOG, MEDLEY_RATE, MEDLEY_MAX_BODY,
        MEDLEY_MAX_COLLECTIONS, MEDLEY_MAX_ITEMS, and, with commas between several, MEDLEY_HOST, MEDLEY_CORS_ORIGIN
        and MEDLEY_TRUST_PROXY.
        """

    /// Reads arguments and environment.
    package init(arguments: [String], environment: [String: String], cores: Int) throws(UsageError) {
        loops = min(max(cores, 1), Self.maximumLoops)
        if let value = environment["MEDLEY_LISTEN"] { listen = value }
        if let value = environment["MEDLEY_LOOPS"] { loops = try Self.loops(value, "MEDLEY_LOOPS") }
        if let value = environment["MEDLEY_HISTORY"] { history = try Self.seconds(value, "MEDLEY_HISTORY") }
        if let value = environment["MEDLEY_DATA"] { data = try Self.folder(value, "MEDLEY_DATA") }
        if try Self.flag(environment, "MEDLEY_MEMORY") { data = nil }
        sample = try Self.flag(environment, "MEDLEY_SAMPLE")
        try readAccess(environment: environment)
        try readLog(environment: environment)
        try readNetwork(environment: environment)
        try readLimits(environment: environment)

        var isFolderGiven = false
        var isMemoryAsked = false
        var isHistoryGiven = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            func value() throws(UsageError) -> String {
                if parts.count == 2 { return parts[1] }
                guard let next = rest.popFirst() else { throw UsageError(message: "\(argument) needs a value") }
                return next
            }
            switch parts[0] {
            case "--listen": listen = try value()
            case "--loops": loops = try Self.loops(try value(), "--loops")
            case "--history":
                history = try Self.seconds(try value(), "--history")
                isHistoryGiven = true
            case "--data":
                data = try Self.folder(try value(), "--data")
                isFolderGiven = true
            case "--memory" where parts.count == 1:
                data = nil
                isMemoryAsked = true
            case "--sample" where parts.count == 1: sample = true
            case let name:
                if try readAccess(name, value) { continue }
                if try readNetwork(name, value) { continue }
                if try readLog(name, value) { continue }
                if try readLimits(name, value) { continue }
                throw UsageError(message: "unknown argument \(argument)")
            }
        }
        try checkNetwork()
        if firstToken != nil, tokenFile == nil {
            throw UsageError(message: "--first-token needs --token-file, which says where it goes")
        }
        if isFolderGiven, isMemoryAsked {
            throw UsageError(
                message: "--data keeps collections in a folder and --memory in memory only; give one of them")
        }
        if isHistoryGiven, isMemoryAsked {
            throw UsageError(
                message: "--history is for a store in a folder; with --memory the latest 100,000 deletions are kept")
        }
    }

    private static let maximumLoops = 256

    private static func loops(_ text: String, _ name: String) throws(UsageError) -> Int {
        guard let number = Int(text), (1...maximumLoops).contains(number) else {
            throw UsageError(message: "\(name) takes a number from 1 to \(maximumLoops), not \"\(text)\"")
        }
        return number
    }

    private static func folder(_ text: String, _ name: String) throws(UsageError) -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw UsageError(message: "\(name) takes the path of a folder")
        }
        return text
    }

    private static func seconds(_ text: String, _ name: String) throws(UsageError) -> Double {
        let units: [Character: Double] = ["h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = UInt32(text.dropLast()), number > 0 else {
            throw UsageError(message: "\(name) takes a number of days or hours, such as 30d or 12h, not \"\(text)\"")
        }
        return Double(number) * unit
    }

    private static func flag(_ environment: [String: String], _ name: String) throws(UsageError) -> Bool {
        switch environment[name] {
        case nil, "", "0", "false": return false
        case "1", "true": return true
        case let text?: throw UsageError(message: "\(name) is 1, true, 0 or false, not \"\(text)\"")
        }
    }
}
