import Testing

/// Something that an attacker does to a server, and what must come of it.
struct Attack: Sendable, CustomTestStringConvertible {
    /// What it is called in the table.
    let name: String
    /// Options that the server is started with.
    var arguments: [String] = []
    /// Whether the server wants tokens.
    var wantsTokens = false
    /// Whether the server speaks TLS.
    var speaksTLS = false
    /// How many requests a second a token, or an address without one, may make; 0 for any number, so that the rate does not
    /// hold back an attack that something else is to withstand, nor the honest client beside it.
    var rate = 0
    /// The most that the server's memory may grow by, in bytes.
    var memory = 64 << 20
    /// Does it, and checks what the attacker gets.
    let carryOut: @Sendable (AttackedServer) throws -> Void

    var testDescription: String { name }

    /// All of them.
    static let all = parsing + slowness + floods + documents + access + handshakes
}
