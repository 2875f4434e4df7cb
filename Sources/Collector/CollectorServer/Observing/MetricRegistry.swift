package import CoreMetrics
internal import Foundation
internal import Primitives

/// Metrics for `GET /metrics`, in the Prometheus text format (version 0.0.4). Thread-safe.
///
/// swift-metrics has no exporter; this registry keeps counters, gauges and histograms in memory. A metric has at
/// most ``maximumSeries`` combinations of labels. Further combinations are counted under `other`, so a client can't
/// exhaust the memory.
package final class MetricRegistry: MetricsFactory {
    /// The maximum number of label combinations of a metric.
    package static let maximumSeries = 100

    /// The upper bounds of a histogram's buckets, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private struct Family {
        var type: String
        var series: [String: Series] = [:]
    }

    private let families = Locked<[String: Family]>([:])

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, type: "counter")
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions, type: aggregate ? "histogram" : "gauge")
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, type: "histogram")
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, type: "gauge")
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}

    private func series(_ label: String, _ dimensions: [(String, String)], type: String) -> Series {
        let labels = Self.text(dimensions)
        return families.withLock { families in
            var family = families[label] ?? Family(type: type)
            defer { families[label] = family }
            if let known = family.series[labels] { return known }
            let isFull = family.series.count >= Self.maximumSeries
            let labels = isFull ? Self.text(dimensions.map { ($0.0, "other") }) : labels
            let series = family.series[labels] ?? Series(isGauge: type == "gauge")
            family.series[labels] = series
            return series
        }
    }

    private static func text(_ dimensions: [(String, String)]) -> String {
        dimensions.map { name, value in
            let escaped = value.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }.joined(separator: ",")
    }

    /// All metrics, sorted by name and labels.
    package func rendered() -> String {
        var text = ""
        for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text += "# TYPE \(name) \(family.type)\n"
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                let state = series.state.withLock { $0 }
                let suffix = labels.isEmpty ? "" : "{\(labels)}"
                guard family.type == "histogram" else {
                    text += "\(name)\(suffix) \(Self.number(state.value))\n"
                    continue
                }
                var cumulative = 0
                let separator = labels.isEmpty ? "" : ","
                for (bound, count) in zip(Self.bounds, state.buckets) {
                    cumulative += count
                    text += "\(name)_bucket{\(labels)\(separator)le=\"\(Self.number(bound))\"} \(cumulative)\n"
                }
                text += "\(name)_bucket{\(labels)\(separator)le=\"+Inf\"} \(state.count)\n"
                text += "\(name)_sum\(suffix) \(Self.number(state.value))\n"
                text += "\(name)_count\(suffix) \(state.count)\n"
            }
        }
        return text
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}

/// One combination of labels of a metric.
private final class Series: CounterHandler, RecorderHandler, TimerHandler, MeterHandler {
    struct State {
        var value = 0.0
        var count = 0
        var buckets = [Int](repeating: 0, count: MetricRegistry.bounds.count)
    }

    let state = Locked(State())
    private let isGauge: Bool

    init(isGauge: Bool) { self.isGauge = isGauge }

    func increment(by amount: Int64) { state.withLock { $0.value += Double(amount) } }
    func reset() { state.withLock { $0 = State() } }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        // A gauge has its last value; other metrics have the sum.
        guard !isGauge else { return set(value) }
        state.withLock { state in
            state.value += value
            state.count += 1
            if let index = MetricRegistry.bounds.firstIndex(where: { value <= $0 }) { state.buckets[index] += 1 }
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.value = value } }
    func increment(by amount: Double) { state.withLock { $0.value += amount } }
    func decrement(by amount: Double) { state.withLock { $0.value -= amount } }
}
