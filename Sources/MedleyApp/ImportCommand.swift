import Foundation
package import MedleyClient
import MedleyFormats

/// `medley import`: brings a file's records into a collection of a server.
package enum ImportCommand {
    /// Runs the command with the arguments behind `import`.
    ///
    /// Returns the exit status: 0 if every record is in the collection, 1 if something was refused or failed, 2 if the
    /// arguments are wrong. The summary goes to standard output, what was refused, line by line, to standard error.
    package static func run(
        _ arguments: [String], output: CommandOutput = .standard(), transport: ClientTransport? = nil,
        retries: RetryPolicy = RetryPolicy(), environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            output.print(ImportOptions.usage)
            return 0
        }
        let options: ImportOptions
        do throws(ImportOptions.UsageError) {
            options = try ImportOptions(arguments)
        } catch {
            output.error("medley import: \(error.message)\n\n\(ImportOptions.usage)\n")
            return 2
        }
        let token: AccessToken?
        do throws(ClientAccess.Failure) {
            token = try options.access.token(for: options.url, of: "import", environment, output)
        } catch {
            output.error("medley import: \(error.message)\n")
            return 1
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: options.path)[.size] as? NSNumber)?.intValue
        var bar = ProgressBar(total: size ?? 0, isShown: output.isTerminal, write: output.error)
        var importer: CollectionImporter
        do throws(FormatError) {
            let (_, reader) = try MediaFile.open(path: options.path)
            importer = CollectionImporter(
                client: CollectionClient(
                    url: options.url, token: token, transport: transport ?? .network(), retries: retries),
                reader: reader,
                mapping: options.mapping)
        } catch {
            output.error("medley import: \(error)\n")
            return 1
        }
        var failure: (any Error)?
        do {
            var hasMore = true
            while hasMore {
                hasMore = try await importer.step()
                report(importer.takeRefusals(), &bar, options, output)
                bar.show(importer.bytesRead, records: importer.summary.read)
            }
        } catch {
            failure = error
        }
        report(importer.takeRefusals(), &bar, options, output)
        bar.clear()
        let summary = importer.summary
        for line in summary.noticeLines { output.error("\(options.path): \(line)\n") }
        if let failure {
            let refusal = (failure as? ClientError).map {
                ClientAccess.explanation(
                    of: $0, hasToken: token != nil, action: "import into \(options.url.collectionID)")
            }
            output.error("medley import: \(refusal ?? "\(failure)")\n")
        }
        if failure == nil || summary.revision != nil { output.print(summary.text) }
        return failure == nil && summary.refused == 0 ? 0 : 1
    }

    private static func report(
        _ refusals: [ImportRefusal], _ bar: inout ProgressBar, _ options: ImportOptions, _ output: CommandOutput
    ) {
        guard !refusals.isEmpty else { return }
        bar.clear()
        for refusal in refusals { output.error("\(options.path): \(refusal)\n") }
    }
}
