/// Prometheus' text form, version 0.0.4.
struct MetricsText {
    private(set) var bytes: [UInt8] = []

    /// Begins a metric.
    mutating func begin(_ name: String, _ kind: String, _ help: String) {
        bytes.append(contentsOf: "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n".utf8)
    }

    /// Adds a sample; labels' values must need no escapes.
    mutating func add(_ name: String, _ value: String, _ labels: [(name: String, value: String)] = []) {
        let labels = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
        bytes.append(contentsOf: (labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n").utf8)
    }

    /// A number without a needless fraction.
    static func number(_ value: Double) -> String {
        Int(exactly: value).map { String($0) } ?? "\(value)"
    }
}
