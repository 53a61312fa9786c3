// What those who wait cost, measured from outside against `medley serve`: run by Scripts/bench live. The machine runs clients
// and servers, so times are those of all of them; what is compared is measured in turns.
import Glibc

func run() throws {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_cur >= options.connections + 100 else {
        throw BenchmarkError("\(options.connections) connections need a higher limit of open files (ulimit -Hn)")
    }
    for part in options.parts {
        switch part {
        case .polls:
            var polls = FanOutPart(options, .polls)
            try polls.run()
        case .streams:
            var streams = FanOutPart(options, .streams)
            try streams.run()
        case .churn: try ChurnPart.run(options)
        }
    }
}

do { try run() } catch {
    let text = Array("LiveBenchmark: \(error)\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    exit(1)
}
