import Foundation
import MedleyService

/// `medley token`: makes, lists and revokes tokens in a file that a server reads.
package enum TokenCommand {
    private static let usage = """
        usage: medley token new NAME --right RIGHT --collections PATTERNS [--file FILE]
               medley token list [--file FILE]
               medley token revoke NAME [--file FILE]

          new      prints a new token, this once, and adds its salted hash to FILE, which is made if it is not there
          list     prints the name, right, collections and id of each token
          revoke   takes a token out of FILE; the server ends what is held for it

          --right RIGHT           read: read and follow; write: edit and replace too; admin: create and delete collections too
          --collections PATTERNS  ids with commas between them; a star may stand at the end: mix,team-* or *
          --file FILE             the file of tokens (default: MEDLEY_TOKEN_FILE)
        """

    private struct UsageError: Error {
        let message: String
    }

    /// Runs the command with the arguments behind `token`; returns the exit status.
    package static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(usage)
            return 0
        }
        do {
            try carryOut(arguments, environment)
            return 0
        } catch let error as UsageError {
            complain("medley token: \(error.message)\n\n\(usage)")
            return 2
        } catch let error as TokenFileEditor.Failure {
            complain("medley token: \(error.message)")
            return 1
        } catch {
            complain("medley token: \(error)")
            return 1
        }
    }

    private static func carryOut(_ arguments: [String], _ environment: [String: String]) throws {
        var words: [String] = []
        var options: [String: String] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageError(message: "\(argument) needs a value")
            }
            guard options.updateValue(value, forKey: parts[0]) == nil else {
                throw UsageError(message: "\(parts[0]) is given twice")
            }
        }
        guard let path = options.removeValue(forKey: "--file") ?? environment["MEDLEY_TOKEN_FILE"], !path.isEmpty else {
            throw UsageError(message: "--file FILE says which file")
        }
        let file = TokenFileEditor(path: path)
        switch (words.first, words.count) {
        case ("new", 2):
            let grant = try grant(words[1], &options)
            try refuse(options)
            print(try file.add(grant))
        case ("list", 1):
            try refuse(options)
            for token in try file.read().tokens {
                let collections = token.grant.collections.map(\.description).joined(separator: ",")
                print("\(token.grant.name) \(token.grant.right.rawValue) \(collections) \(token.id)")
            }
        case ("revoke", 2):
            try refuse(options)
            try file.revoke(words[1])
        default: throw UsageError(message: "say new NAME, list or revoke NAME")
        }
    }

    private static func grant(_ name: String, _ options: inout [String: String]) throws(UsageError) -> Grant {
        guard TokenFile.isName(name) else {
            throw UsageError(
                message: "a name is 1 to 64 letters, digits, points, underscores and hyphens, a letter or digit first")
        }
        guard let right = options.removeValue(forKey: "--right").flatMap({ Right(rawValue: $0) }) else {
            throw UsageError(message: "--right is read, write or admin")
        }
        guard let collections = options.removeValue(forKey: "--collections").flatMap({ Grant.patterns($0) }) else {
            throw UsageError(message: "--collections is ids with commas between them, such as mix,team-* or '*'")
        }
        return Grant(name: name, right: right, collections: collections)
    }

    private static func refuse(_ options: [String: String]) throws(UsageError) {
        if let name = options.keys.sorted().first { throw UsageError(message: "\(name) is no option of this") }
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
