import Synchronization

/// Counts of what was asked and answered. Thread-safe.
package final class ServiceMetrics: Sendable {
    /// The upper bounds of the histogram's buckets, in seconds.
    private static let bounds: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    private struct RequestKey: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Histogram {
        /// How many were at most the bound of the same index and above the one before; the last has none.
        var counts = [UInt64](repeating: 0, count: bounds.count + 1)
        var sum = 0.0
    }

    private struct State {
        var requests: [RequestKey: UInt64] = [:]
        var durations: [String: Histogram] = [:]
    }

    private let state = Mutex(State())
    private let connections: @Sendable () -> Int

    /// Creates counts of nothing.
    ///
    /// - Parameter connections: how many connections are open; any thread.
    package init(connections: @escaping @Sendable () -> Int = { 0 }) {
        self.connections = connections
    }

    /// Counts a response. `seconds` is the time from the request's last byte to its response; `nil` if nothing was handled.
    func record(method: String, route: String, status: Int, seconds: Double?) {
        state.withLock { state in
            state.requests[RequestKey(method: method, route: route, status: status), default: 0] += 1
            guard let seconds else { return }
            let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
            state.durations[route, default: Histogram()].counts[bucket] += 1
            state.durations[route, default: Histogram()].sum += seconds
        }
    }

    /// Appends the counts.
    func append(to text: inout MetricsText) {
        let (requests, durations) = state.withLock { ($0.requests, $0.durations) }
        text.begin("medley_requests_total", "counter", "Requests answered.")
        let sorted = requests.sorted {
            ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
        }
        for (key, count) in sorted {
            text.add(
                "medley_requests_total", String(count),
                [("method", key.method), ("route", key.route), ("status", String(key.status))])
        }
        let name = "medley_request_duration_seconds"
        text.begin(name, "histogram", "Seconds from a whole request to its response.")
        for (route, histogram) in durations.sorted(by: { $0.key < $1.key }) {
            var sum: UInt64 = 0
            for (index, count) in histogram.counts.enumerated() {
                sum += count
                let bound = index < Self.bounds.count ? MetricsText.number(Self.bounds[index]) : "+Inf"
                text.add("\(name)_bucket", String(sum), [("route", route), ("le", bound)])
            }
            text.add("\(name)_sum", MetricsText.number(histogram.sum), [("route", route)])
            text.add("\(name)_count", String(sum), [("route", route)])
        }
        text.begin("medley_connections", "gauge", "Connections that are open.")
        text.add("medley_connections", String(connections()))
    }
}
