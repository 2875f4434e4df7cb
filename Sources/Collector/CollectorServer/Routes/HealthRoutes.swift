internal import CollectorStore
internal import EventModel
internal import Hummingbird
internal import JSONLines
internal import Logging
internal import NIOCore
internal import NIOPosix

/// Endpoints for supervisors and Prometheus. They contain no personal data.
struct HealthRoutes {
    let collector: Collector

    /// `GET /readyz`: 200 if events can be stored now, otherwise 503 with the reason.
    func readiness() async throws -> Response {
        let now = collector.settings.now()
        let state = try await NIOThreadPool.singleton.runIfActive {
            collector.readiness.state(at: now, stall: collector.store.stall)
        }
        var response = Response.json(state.isReady ? .ok : .serviceUnavailable) { json in
            json.beginObject()
            json.key("ready")
            json.bool(state.isReady)
            if !state.isReady {
                json.key("reason")
                json.string(state.reason)
            }
            if let last = state.lastCommit {
                json.key("last_commit")
                json.seconds(microseconds: last.microseconds)
            }
            if let free = state.freeBytes {
                json.key("free_bytes")
                json.integer(free)
            }
            json.endObject()
        }
        if !state.isReady { response.headers[.retryAfter] = "\(collector.advice.seconds(at: now))" }
        return response
    }

    /// `GET /metrics`.
    func metrics() async -> Response {
        collector.metrics.gauge("collector_queued_submissions", Double(collector.store.queuedSubmissions))
        collector.metrics.gauge("collector_requests_in_flight", Double(collector.load.requests))
        collector.metrics.gauge("collector_body_bytes_in_flight", Double(collector.load.bytes))
        collector.metrics.gauge("collector_answer_bytes_pending", Double(collector.pendingAnswers.bytes))
        collector.metrics.gauge("collector_stored_bytes", Double(collector.readiness.stored.bytes))
        if let limit = collector.settings.maximumStoredBytes {
            collector.metrics.gauge("collector_maximum_stored_bytes", Double(limit))
        }
        let store = collector.store
        collector.metrics.gauge("collector_writer_cpu_seconds", store.writerTime / .seconds(1))
        // If the index can't be read, the gauge keeps its value; /readyz reports the error.
        if let isPending = try? await NIOThreadPool.singleton.runIfActive({ try store.hasPendingErasures() }) {
            collector.metrics.gauge("collector_erasures_pending", isPending ? 1 : 0)
        }
        if let forwarding = collector.forwarding?.state {
            var newest = forwarding.receipt
            do { newest = try collector.store.newestReceipt() } catch {
                collector.logger.error(
                    "cannot read the newest receipt; collector_forwarding_behind_receipts is 0 until it can be read",
                    metadata: ["error": "\(error)"])
            }
            for (name, value) in [
                ("behind_receipts", max(0, newest - forwarding.receipt)), ("receipt", forwarding.receipt),
                ("events", forwarding.events), ("messages", forwarding.messages),
                ("failures", forwarding.failures), ("working", forwarding.problem == nil ? 1 : 0),
            ] { collector.metrics.gauge("collector_forwarding_\(name)", Double(value)) }
        }
        return .make(
            .ok, type: "text/plain; version=0.0.4; charset=utf-8", ByteBuffer(string: collector.metrics.rendered()))
    }
}
