internal import CoreMetrics
internal import DeliveryProtocol
internal import Metrics
internal import Primitives

/// The collector's counters. Handles are created once: a lookup for each request would cost more than counting.
final class CollectorMetrics: Sendable {
    private let registry: MetricRegistry
    private let requests = Locked<[String: Counter]>([:])
    private let events = Locked<[String: Counter]>([:])
    private let erasures = Locked<[String: Counter]>([:])
    let seconds: Timer
    let bytes: Counter

    init(_ registry: MetricRegistry) {
        self.registry = registry
        seconds = Timer(label: "collector_request_seconds", dimensions: [("route", "events")], factory: registry)
        bytes = Counter(label: "collector_decompressed_bytes_total", dimensions: [], factory: registry)
    }

    func request(_ route: String, status: Int) {
        handle(in: requests, named: "\(route) \(status)") {
            Counter(
                label: "collector_requests_total", dimensions: [("route", route), ("status", "\(status)")],
                factory: registry)
        }.increment()
    }

    /// - Parameter verdict: `stored`, `duplicate`, `unverified`, `erased` or `rejected`.
    func count(_ count: Int64, _ verdict: String, app: String) {
        guard count > 0 else { return }
        handle(in: events, named: "\(verdict) \(app)") {
            Counter(
                label: "collector_events_total", dimensions: [("verdict", verdict), ("app", app)], factory: registry
            )
        }.increment(by: count)
    }

    func count(_ receipt: Receipt, app: String) {
        func sum(_ ranges: [ClosedRange<Int64>]) -> Int64 { NumberRanges.count(ranges).value }
        let known = sum(receipt.duplicates) + sum(receipt.unverified)
        count(sum(receipt.stored) - known, "stored", app: app)
        count(sum(receipt.duplicates), "duplicate", app: app)
        count(sum(receipt.unverified), "unverified", app: app)
        count(sum(receipt.erased), "erased", app: app)
        count(Int64(receipt.rejected.count), "rejected", app: app)
    }

    /// Counts what an install's erasure marked.
    func count(_ receipt: ErasureReceipt, app: String) {
        handle(in: erasures, named: app) {
            Counter(label: "collector_erased_numbers_total", dimensions: [("app", app)], factory: registry)
        }.increment(by: receipt.marked)
    }

    private func handle(in handles: Locked<[String: Counter]>, named name: String, _ make: () -> Counter) -> Counter {
        handles.withLock { handles in
            if let known = handles[name] { return known }
            let new = make()
            if handles.count < MetricRegistry.maximumSeries { handles[name] = new }
            return new
        }
    }

    func gauge(_ label: String, _ value: Double) {
        Gauge(label: label, dimensions: [], factory: registry).record(value)
    }

    func rendered() -> String { registry.rendered() }
}
