// What durability costs, measured from outside against `medley serve`: run by Scripts/bench journal. The figures are of the
// disk and the machine it runs on; what is compared is measured in turns.
import Glibc

func run() throws {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    let place = try Workplace(in: options.data)
    print("stores in \(options.data), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores")
    if options.parts.contains(.writers) { try WritersPart.run(options, place) }
    if options.parts.contains(.lone) { try LonePart.run(options, place) }
    if options.parts.contains(.restart) {
        let server = try RestartPart.run(options, place)
        if options.parts.contains(.checkpoint) { try CheckpointPart.run(options, place, server) }
    } else if options.parts.contains(.checkpoint) {
        Table.begin("Filling the large collection")
        try CheckpointPart.run(options, place, try RestartPart.fill(options, place))
    }
}

/// The processor's seconds that this process has used.
func ownProcessorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(microseconds) / 1e6
}

do { try run() } catch {
    let text = Array("JournalBenchmark: \(error)\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    exit(1)
}
