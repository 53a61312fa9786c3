import EventLoop
import Foundation
import Journal
import MedleyService

/// `medley serve`: serves collections until it is told to stop.
package enum ServeCommand {
    /// The time that running requests have to end after a signal, in seconds.
    private static let grace = 10.0

    /// Runs the command with the arguments behind `serve`; returns the exit status when a signal has ended it.
    ///
    /// Must be called before any other thread is started, so that all of them leave the signals to this one.
    package static func run(_ arguments: [String]) -> Int32 {
        if arguments.contains("--help") || arguments.contains("-h") {
            print(ServeOptions.usage)
            return 0
        }
        DescriptorLimit.raise()
        // What ends the process is to be read.
        defer { output.flush(within: 1) }
        let server: MedleyServer
        let lines: LogWriter?
        let readsFiles: Bool
        do {
            let process = ProcessInfo.processInfo
            let options = try ServeOptions(
                arguments: arguments, environment: process.environment, cores: process.activeProcessorCount)
            readsFiles = options.tokenFile != nil || options.tlsCertificate != nil
            StopSignals.block(withHangUp: readsFiles)
            lines = options.accessLog == .off ? nil : accessLines()
            server = try MedleyServer(
                options, log: log, accessLog: lines.map { AccessLog(options.accessLog, $0) })
            if let right = options.anonymous, !server.addresses.allSatisfy(\.isLoopback) {
                log("whoever reaches this address needs no token for the right \(right.rawValue)")
            }
            let scheme = options.tlsCertificate == nil ? "http" : "https"
            let address = server.addresses.map { "\(scheme)://\($0)" }.joined(separator: " ")
            let place = options.data.map { "are kept in \($0)" } ?? "are in memory only"
            log("medley \(medleyVersion) serves on \(address) with \(options.loops) loops; collections \(place)")
        } catch let error as ServeOptions.UsageError {
            log("medley serve: \(error.message)\n\n\(ServeOptions.usage)")
            return 2
        } catch let error as AccessPolicy.Refusal {
            log("medley serve: \(error.message)")
            return 2
        } catch let error as TokenFileEditor.Failure {
            log("medley serve: \(error.message)")
            return 1
        } catch let error as JournalError {
            log("medley serve: \(error.message)")
            return 1
        } catch {
            log("medley serve: \(error)")
            return 1
        }
        var signal = StopSignals.wait(withHangUp: readsFiles)
        while signal == SIGHUP {
            server.reload()
            signal = StopSignals.wait(withHangUp: readsFiles)
        }
        log("medley stops on signal \(signal)")
        let isDrained = server.stop(grace: grace)
        lines?.flush(within: 1)
        log(isDrained ? "medley has stopped" : "medley has stopped; some requests did not end in time")
        return 0
    }

    /// Where the lines for the operator go.
    private static let output = LogWriter(2)

    /// Where the lines of requests go: many are written at a time, and what nobody takes is lost at last.
    private static func accessLines() -> LogWriter {
        LogWriter(1, capacity: 4 << 20, delay: 0.01) { loss in
            switch loss {
            case .begins: log("nobody takes the lines of the access log; they are dropped")
            case .ended(let count): log("\(count) lines of the access log were dropped")
            }
        }
    }

    @Sendable private static func log(_ line: String) { output.write(line) }
}
