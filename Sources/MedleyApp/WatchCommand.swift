import EventLoop
import Foundation
package import MedleyClient

/// `medley watch`: follows a collection and prints what changes.
package enum WatchCommand {
    /// Runs the command with the arguments behind `watch`; returns the exit status when a signal or a refusal has ended it.
    ///
    /// Must be called before any other thread is started, so that all of them leave the signals to this one.
    package static func run(_ arguments: [String]) -> Int32 {
        StopSignals.block()
        let output = CommandOutput.standard()
        Task.detached {
            let status = await run(arguments, output: output)
            exit(status)
        }
        _ = StopSignals.wait()
        return 0
    }

    /// Runs the command until its task is cancelled or the server refuses; returns the exit status.
    package static func run(
        _ arguments: [String], output: CommandOutput, transport: ClientTransport? = nil,
        retries: RetryPolicy = RetryPolicy(), environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            output.print(WatchOptions.usage)
            return 0
        }
        let options: WatchOptions
        do throws(WatchOptions.UsageError) {
            options = try WatchOptions(arguments)
        } catch {
            output.error("medley watch: \(error.message)\n\n\(WatchOptions.usage)\n")
            return 2
        }
        let token: AccessToken?
        do throws(ClientAccess.Failure) {
            token = try options.access.token(for: options.url, of: "watch", environment, output)
        } catch {
            output.error("medley watch: \(error.message)\n")
            return 1
        }
        let client = CollectionClient(
            url: options.url, token: token, transport: transport ?? .network(), retries: retries)
        var watch = CollectionWatch(client, options, retries: retries, hasToken: token != nil, output)
        do throws(ClientError) {
            try await watch.run()
            return 0
        } catch {
            let reason = ClientAccess.explanation(of: error, hasToken: token != nil, action: "follow \(client.id)")
            output.error("medley watch: \(PrintableText.of(reason))\n")
            return 1
        }
    }
}
