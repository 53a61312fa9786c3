package import MedleyClient
package import MedleyFormats

/// What `medley export` is asked for.
package struct ExportOptions: Sendable {
    /// The collection.
    package var url: CollectionURL
    /// The format that is written.
    package var format: MediaFormat
    /// The file; `-` is standard output.
    package var path: String
    /// The token that is shown.
    package var access = ClientAccess()

    /// How the command is used.
    package static let usage = """
        usage: medley export http://HOST:PORT/v1/collections/NAME [--format FORMAT] [-o FILE] [--token-from FILE]

        Writes a collection as it is now into a file that players, spreadsheets and programs open, and that medley import
        takes back.

          --format FORMAT    m3u, pls, xspf, jspf, rss, csv, tsv, json or jsonl (default: by the extension of FILE's
                             name, json if it has none)
          -o FILE            the file, replaced as a whole when all is read (default: -, which is standard output)
        \(ClientAccess.usage(column: 21))

        json, jspf, m3u and xspf give every item back when they are imported; docs/formats.md says what the others lose.
        The exit status is 0 if all is written, 1 if not, 2 if the arguments are wrong.
        """

    /// A mistake in the arguments.
    package struct UsageError: Error, Hashable, Sendable {
        /// What is wrong, for the user.
        package let message: String
    }

    /// Reads the arguments behind `export`.
    package init(_ arguments: [String]) throws(UsageError) {
        var url: CollectionURL?
        var format: MediaFormat?
        var path: String?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch parts[0] {
            case "--token": throw UsageError(message: ClientAccess.refusal)
            case "--format", "-o", "--output", "--token-from":
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                    throw UsageError(message: "\(parts[0]) needs a value")
                }
                guard parts[0] == "--format" else {
                    if parts[0] == "--token-from" { access.tokenFile = value } else { path = value }
                    continue
                }
                format = Self.format(value)
                guard format != nil else { throw UsageError(message: "--format: \(value) is none that can be written") }
            case _ where argument.hasPrefix("-"): throw UsageError(message: "unknown option \(argument)")
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
        self.path = path ?? "-"
        if let format { self.format = format } else { self.format = try Self.format(ofFile: self.path) }
    }

    /// The format that a file's extension names, the snapshot form for a name without one.
    ///
    /// Throws for an extension of nothing that can be written: one form under the name of another helps nobody.
    private static func format(ofFile path: String) throws(UsageError) -> MediaFormat {
        guard let suffix = path.split(separator: "/").last?.split(separator: ".").dropFirst().last else {
            return .snapshot
        }
        guard let format = format(String(suffix)) else {
            let known = MediaFormat.allCases.filter { $0.makeWriter() != nil }.flatMap(\.fileExtensions)
            throw UsageError(
                message: "-o \(path): nothing that can be written is called .\(suffix); there is "
                    + known.map { ".\($0)" }.joined(separator: " ") + ", and --format for any other name")
        }
        return format
    }

    /// The format of a name, which is a file's extension.
    private static func format(_ name: String) -> MediaFormat? {
        let found = name.lowercased() == "json" ? .snapshot : MediaFormat(fileExtension: name)
        return found?.makeWriter() == nil ? nil : found
    }
}
