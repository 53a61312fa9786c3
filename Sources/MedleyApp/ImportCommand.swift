import Foundation
package import MedleyClient
import MedleyCore
import MedleyFormats

/// `medley import`: brings a file's records into a collection of a server.
package enum ImportCommand {
    /// The most changes that a dry run prints.
    static let shownChanges = 200

    /// Runs the command with the arguments behind `import`.
    ///
    /// Returns the exit status: 0 if every record is in the collection, 1 if something was refused or failed, 2 if the
    /// arguments are wrong, 128 and the signal's number if it was stopped. The summary goes to standard output, what was
    /// refused, line by line, to standard error.
    package static func run(
        _ arguments: [String], output: CommandOutput = .standard(), transport: ClientTransport? = nil,
        retries: RetryPolicy = RetryPolicy(), interruption: Interruption = Interruption(),
        environment: [String: String] = ProcessInfo.processInfo.environment
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
        let reading: ImportReading
        do throws(FormatError) {
            let (_, reader) = try MediaFile.open(path: options.path, as: options.format)
            reading = try ImportReading(reader, options.mapping)
        } catch {
            output.error("medley import: \(PrintableText.of("\(error)"))\n")
            return 1
        }
        let client = CollectionClient(
            url: options.url, token: token, transport: transport ?? .network(), retries: retries)
        let explain = { (error: any Error) -> String in
            guard let error = error as? ClientError else { return "\(error)" }
            return ClientAccess.explanation(of: error, hasToken: token != nil, action: "import into \(client.id)")
        }
        guard options.isDryRun else {
            return await carryOut(
                CollectionImporter(into: ServerDestination(client: client), reading, options.plan), options, output,
                interruption, explain
            ).status
        }
        let (trial, status) = await carryOut(
            CollectionImporter(into: TrialDestination(client: client), reading, options.plan), options, output,
            interruption, explain)
        show(trial, output)
        return status
    }

    /// Imports to the end, or as far as it goes; the summary is printed.
    private static func carryOut<Destination>(
        _ importer: CollectionImporter<Destination>, _ options: ImportOptions, _ output: CommandOutput,
        _ interruption: Interruption, _ explain: (any Error) -> String
    ) async -> (destination: Destination, status: Int32) {
        var importer = importer
        var total = 0
        if importer.tellsProgress {
            let attributes = try? FileManager.default.attributesOfItem(atPath: options.path)
            total = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        }
        var bar = ProgressBar(total: total, isShown: output.isTerminal, write: output.error)
        var failure: (any Error)?
        var hasMore = true
        do {
            while hasMore, interruption.status == nil {
                hasMore = try await importer.step()
                report(importer.takeRefusals(), &bar, options, output)
                bar.show(importer.bytesRead, records: importer.summary.read)
                let summary = text(importer.summary, options)
                interruption.prepare { output.print(summary) }
            }
        } catch {
            failure = error
        }
        report(importer.takeRefusals(), &bar, options, output)
        bar.clear()
        let summary = importer.summary
        for line in summary.noticeLines { output.error("\(options.path): \(PrintableText.of(line))\n") }
        if let failure { output.error("medley import: \(PrintableText.of(explain(failure)))\n") }
        let kept = importer.reasonForKeeping
        if let kept { output.error("medley import: nothing was deleted, since \(kept)\n") }
        let isStopped = failure == nil && hasMore
        if isStopped { output.error("medley import: stopped; the same command goes on\n") }
        if failure == nil || summary.revision != nil { output.print(text(summary, options)) }
        if isStopped, let status = interruption.status { return (importer.destination, status) }
        return (importer.destination, failure == nil && summary.refused == 0 && kept == nil ? 0 : 1)
    }

    private static func text(_ summary: ImportSummary, _ options: ImportOptions) -> String {
        guard options.isDryRun else { return summary.text }
        var summary = summary
        summary.revision = nil
        return "nothing was sent; it would be: \(summary.text)"
    }

    private static func show(_ trial: TrialDestination, _ output: CommandOutput) {
        guard let after = trial.after else { return }
        let lines = ChangeLines(before: trial.before, after: after)
        var count = 0
        for change in trial.changes {
            // Of a million that are inserted together only those that are shown.
            if count < shownChanges {
                let shown = change.operation.prefix(shownChanges - count)
                for line in lines.lines(of: Change(shown)) { output.print(line) }
            }
            count += change.operation.count
        }
        if count > shownChanges { output.print("and \(count - shownChanges) more") }
    }

    private static func report(
        _ refusals: [ImportRefusal], _ bar: inout ProgressBar, _ options: ImportOptions, _ output: CommandOutput
    ) {
        guard !refusals.isEmpty else { return }
        bar.clear()
        for refusal in refusals { output.error("\(options.path): \(PrintableText.of("\(refusal)"))\n") }
    }
}

extension Change.Operation {
    /// How many items or sections the operation names.
    fileprivate var count: Int {
        switch self {
        case .insert(let items, _), .update(let items): items.count
        case .delete(let ids), .move(let ids, _): ids.count
        case .insertSection(let sections, _), .updateSection(let sections): sections.count
        case .moveSection(let ids, _), .deleteSection(let ids): ids.count
        default: 1
        }
    }

    /// The operation with the first so many items or sections that it names.
    fileprivate func prefix(_ count: Int) -> Change.Operation {
        switch self {
        case .insert(let items, let place): .insert(Array(items.prefix(count)), at: place)
        case .update(let items): .update(Array(items.prefix(count)))
        case .delete(let ids): .delete(Array(ids.prefix(count)))
        case .move(let ids, let place): .move(Array(ids.prefix(count)), to: place)
        case .insertSection(let sections, let place): .insertSection(Array(sections.prefix(count)), at: place)
        case .updateSection(let sections): .updateSection(Array(sections.prefix(count)))
        case .moveSection(let ids, let place): .moveSection(Array(ids.prefix(count)), to: place)
        case .deleteSection(let ids): .deleteSection(Array(ids.prefix(count)))
        default: self
        }
    }
}
