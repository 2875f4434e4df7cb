internal import DeliveryHTTP
public import Foundation
internal import Primitives
public import TrackingCore

/// Delivers events to a collector over HTTP. Only events that the collector's receipt lists count as delivered.
///
/// ```swift
/// let sink = try HTTPSink(url: "https://collector.example.com/v1/events", key: "wk_…")
/// ```
///
/// Each batch is one `POST` of JSON lines: a header with the batch's numbers, and the events' exact lines. The batch's
/// id is the `Idempotency-Key`, so the collector stores a batch once even if it is resent. <doc:Delivering> lists the
/// meaning of each response.
///
/// **Configuration errors lose no events.** With a wrong key or URL, all events stay in the log until a later delivery
/// succeeds. An event becomes a dead letter only if the collector rejects its number, or if the event alone is too
/// large.
///
/// **Threading.** Thread-safe. The flusher delivers one batch at a time. When its task is canceled, ``deliver(_:)``
/// cancels the request and returns without delay. Between deliveries, the sink uses no thread and no timer.
///
/// **Secrets.** Descriptions, diagnostics and errors contain neither the key nor the install's secret, even if the
/// server's response repeats them.
public final class HTTPSink: Sink {
    public let name: String
    /// A digest of URL and key.
    public let target: String
    let client: DeliveryClient
    private let jitter: @Sendable (Duration) -> Duration
    private let wanted = WantedNumbers()
    /// The consecutive responses of two kinds.
    private let troubles = Locked((misconfigured: 0, changed: 0))

    /// After this many consecutive misconfigured responses, the sink halts. After this many of bodies that were changed on
    /// their way, it tries one without compression.
    static let patience = 5

    /// Makes a sink. Sends no request.
    ///
    /// - Parameters:
    ///   - url: The collector's `POST /v1/events`: `https`, or `http` with a loopback address.
    ///   - key: The write key, 1 to 512 characters of a bearer token.
    ///   - name: The consumer's name in the log. Keep it across restarts, and use a different name for each collector.
    ///   - options: How requests are sent.
    ///   - clock: The source of the send time, and the reference for a `Retry-After` with a date.
    /// - Throws: ``/DeliveryHTTP/DeliverySetupError``. It does not contain the key.
    public convenience init(
        url: URL, key: String, name: String = "http", options: Options = .standard,
        clock: any TrackingClock = SystemTrackingClock()
    ) throws(DeliverySetupError) {
        try self.init(
            DeliveryEndpoint(url), WriteKey(key), name: name, options: options, clock: clock, memory: .process
        ) { longest in longest * Double.random(in: 0...1) }
    }

    /// Makes a sink; see ``init(url:key:name:options:clock:)-(URL,_,_,_,_)``.
    public convenience init(
        url: String, key: String, name: String = "http", options: Options = .standard,
        clock: any TrackingClock = SystemTrackingClock()
    ) throws(DeliverySetupError) {
        try self.init(url: DeliveryEndpoint(url).url, key: key, name: name, options: options, clock: clock)
    }

    /// Makes a sink with a compression memory and waits that a test controls.
    ///
    /// - Parameter jitter: Returns a random wait of at most the given duration.
    package init(
        _ endpoint: DeliveryEndpoint, _ key: WriteKey, name: String, options: Options, clock: any TrackingClock,
        memory: CompressionMemory, jitter: @escaping @Sendable (Duration) -> Duration
    ) throws(DeliverySetupError) {
        self.name = name
        self.jitter = jitter
        client = DeliveryClient(
            endpoint, key: key, transport: try options.makeTransport(), timeout: max(.seconds(1), options.timeout),
            memory: memory, clock: { clock.reading })
        target = client.target
    }

    public func deliver(_ batch: EventBatch) async -> DeliveryResult {
        if batch.isAdopted {
            wanted.forget()
            return .newGeneration(acknowledged: [], reason: "the log's install ID came from recorded events")
        }
        let content = BatchContent(batch)
        if content.lines.count > BatchContent.maximumBytes, batch.records.count > 1 {
            return .rejected(
                reason:
                    "the batch has \(content.lines.count) bytes with its header, over the limit of \(BatchContent.maximumBytes)"
            )
        }
        var request = DeliveryClient.Content(id: batch.id, lines: content.lines, attempt: batch.attempt)
        request.compresses = troubles.withLock { $0.changed < Self.patience }
        request.mayContinue = { [watch = batch.watch] in watch.mayContinue }
        request.noteShare = { [watch = batch.watch] in watch.note(.arrived(min(1, max(0, $0)))) }
        if client.reportsProgress { batch.watch.note(.waiting) }
        do throws(DeliveryTransportError) {
            return result(of: try await client.post(request), for: batch)
        } catch {
            let reason = "no response from \(client.endpoint): \(clean(error.message, secret: batch.secret))"
            switch error.code {
            case .denied: return .void(reason: reason)
            case .timedOut:
                // Before the upload, the size of the batch did not matter.
                guard case .arrived(let share) = batch.watch.upload else { return .retry(after: nil, reason: reason) }
                return .timedOut(share: share, reason: reason)
            default: return .retry(after: nil, reason: reason)
            }
        }
    }

    public func loss(since checkpoint: String) async -> SinkLoss? {
        wanted.take().map { SinkLoss(firstSeq: $0, reason: "\(client.endpoint) requests it again") }
    }

    private func result(of answer: DeliveryClient.Answer, for batch: EventBatch) -> DeliveryResult {
        let read = BatchAnswer(answer, to: batch, server: "\(client.endpoint)") { clean($0, secret: batch.secret) }
        if let receipt = read.receipt { wanted.note(receipt, for: batch) }
        switch read.meaning {
        case .misconfigured(let wait, let reason):
            let halts = troubles.withLock { troubles in
                troubles.misconfigured += 1
                troubles.changed = 0
                return troubles.misconfigured >= Self.patience
            }
            return halts ? .halt(reason: reason) : .retry(after: wait.map(spread), reason: reason)
        case .changed(let wait, let reason):
            let halts = troubles.withLock { troubles in
                troubles.misconfigured = 0
                troubles.changed += 1
                // The last one was not compressed. Nor is the next try.
                guard troubles.changed > Self.patience else { return false }
                troubles.changed = Self.patience
                return true
            }
            return halts
                ? .halt(reason: "\(reason); something between here and the server changes the events' bytes")
                : .retry(after: wait.map(spread), reason: reason)
        case .result(let result):
            let changed = troubles.withLock { troubles in
                defer { troubles = (0, 0) }
                return troubles.changed
            }
            switch result {
            case .judged where changed >= Self.patience: client.forbidCompression()
            case .newGeneration: wanted.forget()
            case .retry(let wait?, let reason): return .retry(after: spread(wait), reason: reason)
            default: break
            }
            return result
        }
    }

    /// The wait that the server requested, plus a random part of up to a tenth, at least a second: devices that got the
    /// same wait do not return at the same moment.
    func spread(_ wait: Duration) -> Duration { wait + jitter(max(.seconds(1), wait / 10)) }

    /// A server's text without secrets and control characters.
    func clean(_ words: String, secret: String) -> String {
        ServerWords.shown(words) { plain in
            let shown = client.key?.removed(from: plain) ?? plain
            return secret.isEmpty ? shown : shown.replacing(secret, with: "…")
        }
    }
}

extension HTTPSink: CustomStringConvertible, CustomReflectable {
    /// The name and the endpoint, without the key.
    public var description: String { "\(name), to \(client.endpoint)" }

    /// The name and the endpoint, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["name": name, "endpoint": "\(client.endpoint)"]) }
}
