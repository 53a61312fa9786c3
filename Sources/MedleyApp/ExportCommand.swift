import EventLoop
import Foundation
package import MedleyClient
import MedleyCore
import MedleyFormats
import Synchronization

/// `medley export`: writes a collection of a server into a file.
package enum ExportCommand {
    /// The file that is being written, for whoever ends the process meanwhile.
    private static let unfinished = Mutex<ReplacementFile?>(nil)

    /// Runs the command with the arguments behind `export`; returns the exit status. SIGINT and SIGTERM leave nothing
    /// behind.
    ///
    /// Must be called before any other thread is started, so that all of them leave the signals to this one.
    package static func run(_ arguments: [String]) -> Int32 {
        StopSignals.block()
        Task.detached {
            let status = await run(arguments, output: .standard())
            exit(status)
        }
        let signal = StopSignals.wait()
        unfinished.withLock { $0?.discard() }
        return 128 + signal
    }

    /// Runs the command with the arguments behind `export`; returns the exit status.
    ///
    /// A file is replaced as a whole, or stays as it is.
    package static func run(
        _ arguments: [String], output: CommandOutput, transport: ClientTransport? = nil,
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
            try write(snapshot, options, output)
            return 0
        } catch {
            let refusal = (error as? ClientError).map {
                ClientAccess.explanation(of: $0, hasToken: token != nil, action: "read \(client.id)")
            }
            let reason = refusal ?? "\(options.path): \(describe(error))"
            output.error("medley export: \(PrintableText.of(reason))\n")
            return 1
        }
    }

    /// Writes a snapshot piece by piece.
    private static func write(_ snapshot: Snapshot, _ options: ExportOptions, _ output: CommandOutput) throws {
        var export = CollectionExport(snapshot, format: options.format, address: "\(options.url)")
        guard options.path != "-" else {
            while let piece = export?.next() { try output.write(piece) }
            return
        }
        let file = try ReplacementFile(replacing: options.path)
        unfinished.withLock { $0 = file }
        defer { unfinished.withLock { $0 = nil } }
        var bar = ProgressBar(total: snapshot.itemCount, isShown: output.isTerminal, write: output.error)
        defer { bar.clear() }
        do {
            while let piece = export?.next() {
                try file.write(piece)
                let done = export?.itemsDone ?? 0
                bar.show(done, records: done)
            }
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }

    private static func describe(_ error: any Error) -> String {
        (error as? ReplacementFile.Failure).map { "\($0)" } ?? error.localizedDescription
    }
}
