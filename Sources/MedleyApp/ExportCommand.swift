import Foundation
package import MedleyClient
import MedleyFormats

/// `medley export`: writes a collection of a server into a file.
package enum ExportCommand {
    /// Runs the command with the arguments behind `export`; returns the exit status.
    ///
    /// A file is replaced as a whole, or stays as it is.
    package static func run(
        _ arguments: [String], output: CommandOutput = .standard(), transport: ClientTransport? = nil,
        retries: RetryPolicy = RetryPolicy(), environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            output.print(ExportOptions.usage)
            return 0
        }
        let options: ExportOptions
        do throws(ExportOptions.UsageError) {
            options = try ExportOptions(arguments)
        } catch {
            output.error("medley export: \(error.message)\n\n\(ExportOptions.usage)\n")
            return 2
        }
        let token: AccessToken?
        do throws(ClientAccess.Failure) {
            token = try options.access.token(for: options.url, of: "export", environment, output)
        } catch {
            output.error("medley export: \(error.message)\n")
            return 1
        }
        let client = CollectionClient(
            url: options.url, token: token, transport: transport ?? .network(), retries: retries)
        do {
            guard let snapshot = try await client.snapshot() else {
                output.error(
                    "medley export: there is no collection \(PrintableText.of(client.id))"
                        + (token == nil ? "\n" : ". \(ClientAccess.notForIt)\n"))
                return 1
            }
            var export = CollectionExport(snapshot, format: options.format, address: "\(options.url)")
            if options.path == "-" {
                while let piece = export?.next() { try output.write(piece) }
            } else {
                var data = Data()
                while let piece = export?.next() { data.append(contentsOf: piece) }
                try data.write(to: URL(fileURLWithPath: options.path), options: .atomic)
            }
            return 0
        } catch {
            let refusal = (error as? ClientError).map {
                ClientAccess.explanation(of: $0, hasToken: token != nil, action: "read \(client.id)")
            }
            let reason = refusal ?? "\(options.path): \(error.localizedDescription)"
            output.error("medley export: \(PrintableText.of(reason))\n")
            return 1
        }
    }
}
