package import EventLoop
package import HTTPServer

/// The access log: a line for each request, in one of two forms, neither of which a request can break.
package final class AccessLog: ServerObserver {
    private let form: ServeOptions.AccessLogForm
    private let writer: LogWriter
    private let clock: @Sendable () -> Int

    /// Creates a log.
    ///
    /// - Parameter clock: the time of day in milliseconds since 1970.
    package init(
        _ form: ServeOptions.AccessLogForm, _ writer: LogWriter,
        clock: @escaping @Sendable () -> Int = EventLoop.wallMilliseconds
    ) {
        self.form = form
        self.writer = writer
        self.clock = clock
    }

    package func makeLoopObserver() -> any LoopObserver { Lines(form, writer, clock) }

    /// The lines of one loop, each made in the same buffer: nothing of it is shared, and nothing allocated for a line.
    private final class Lines: LoopObserver {
        private let writer: LogWriter
        private let clock: @Sendable () -> Int
        private let isJSON: Bool
        private var time = LogTime()
        private var line: [UInt8] = []

        init(_ form: ServeOptions.AccessLogForm, _ writer: LogWriter, _ clock: @escaping @Sendable () -> Int) {
            self.writer = writer
            self.clock = clock
            isJSON = form == .json
        }

        func requestFinished(_ record: RequestRecord) {
            line.removeAll(keepingCapacity: true)
            let now = clock()
            if isJSON {
                AccessLine.appendJSON(record, at: now, &time, to: &line)
            } else {
                AccessLine.appendPlain(record, at: now, &time, to: &line)
            }
            writer.write(line)
        }
    }
}
