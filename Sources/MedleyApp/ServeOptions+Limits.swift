package import Journal
package import MedleyService

/// The limits that are chosen for a server; `docs/limits.md` has the others.
package struct ServeLimits: Hashable, Sendable {
    /// The requests a second of one token, or of one address without; 0 for any number.
    package var rate = ServiceLimits().requestsPerSecond
    /// The most bytes of a request's body.
    package var bodyBytes = ServiceLimits().bodyBytes
    /// The most collections.
    package var collections = Committer.Limits().collections
    /// The most items of a collection.
    package var items = ServiceLimits().collectionItems

    /// The defaults.
    package init() {}

    /// Puts them in force.
    package func apply(to limits: inout ServiceLimits, _ commits: inout Committer.Limits) {
        limits.requestsPerSecond = rate
        limits.bodyBytes = bodyBytes
        // A body of the largest size must have room while others arrive.
        limits.arrivingBytes = max(limits.arrivingBytes, 2 * bodyBytes)
        // And while one is under way, edits of others.
        limits.editBytes = max(limits.editBytes, 2 * bodyBytes)
        limits.collectionItems = items
        limits.requestNames = max(limits.requestNames, items)
        commits.collections = collections
    }
}

extension ServeOptions {
    /// How the options of limits are called.
    static let usageOfLimits = """
          --rate N            requests a second of each token, and of each address without one (default 100); four times
                              as many may come at once; 0 for any number. Loopback without a token is not limited
          --max-body BYTES    the longest body of a request (default 64M)
          --max-collections N the most collections (default 10,000)
          --max-items N       the most items of a collection (default 2,000,000); GET /v1 tells all limits
        """

    /// Reads the options of limits where `argument` is one of them; says whether it was.
    mutating func readLimits(_ name: String, _ value: () throws(UsageError) -> String) throws(UsageError) -> Bool {
        switch name {
        case "--rate": limits.rate = try Self.number(try value(), name, in: 0...Self.mostRate)
        case "--max-body": limits.bodyBytes = try Self.bytes(try value(), name)
        case "--max-collections": limits.collections = try Self.number(try value(), name, in: 1...Self.most)
        case "--max-items": limits.items = try Self.number(try value(), name, in: 1...Self.most)
        default: return false
        }
        return true
    }

    /// Reads the variables of limits; an empty one is none.
    mutating func readLimits(environment: [String: String]) throws(UsageError) {
        let names = [
            "MEDLEY_RATE": "--rate", "MEDLEY_MAX_BODY": "--max-body", "MEDLEY_MAX_COLLECTIONS": "--max-collections",
            "MEDLEY_MAX_ITEMS": "--max-items",
        ]
        for (variable, option) in names.sorted(by: { $0.key < $1.key }) {
            guard let text = environment[variable], !text.isEmpty else { continue }
            do throws(UsageError) {
                _ = try readLimits(option) { text }
            } catch { throw UsageError(message: error.message.replacing(option, with: variable)) }
        }
    }

    private static let mostRate = 1_000_000
    private static let most = 1_000_000_000

    private static func number(
        _ text: String, _ name: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(text),
            range.contains(number)
        else {
            throw UsageError(
                message: "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    private static func bytes(_ text: String, _ name: String) throws(UsageError) -> Int {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits),
            number <= 1 << 30, (1 << 10...1 << 30).contains(number * (unit ?? 1))
        else {
            throw UsageError(message: "\(name) takes bytes from 1K to 1G, such as 16M, not \"\(text)\"")
        }
        return number * (unit ?? 1)
    }
}
