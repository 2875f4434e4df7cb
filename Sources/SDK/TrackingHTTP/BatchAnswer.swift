internal import DeliveryHTTP
internal import DeliveryProtocol
internal import JSONLines

/// The meaning of an HTTP response for a batch.
///
/// | status | result |
/// |---|---|
/// | 200 with a receipt for the batch | `judged`, event by event |
/// | 200 without one, another 2xx | `retry` |
/// | 400 `digest-mismatch` | changed on its way |
/// | 401, 403, 410 with a problem of the collector | `halt` |
/// | 401, 403, 410 without one: a proxy's, or a deploy's | `retry` |
/// | 408, 425, 429, 5xx | `retry` |
/// | 409 `fork`, `install-taken` | `newGeneration`; another 409: `retry` |
/// | 413 | `rejected`; with `Retry-After`: `retry`; for a tiny request from another server than the collector:
/// misconfigured |
/// | 422 | `void` |
/// | 3xx, other 4xx | misconfigured |
///
/// *Misconfigured* means that the server or the app is configured wrongly, and the events are fine: the sink retries,
/// and halts if it happens repeatedly. No event is rejected because of this.
///
/// *Changed on its way* means that a proxy has encoded the body again, or a device has flipped a bit: the sink retries, then
/// tries once without compression, and halts if that fails, too.
struct BatchAnswer {
    /// The action to take.
    enum Meaning {
        case result(DeliveryResult)
        case misconfigured(retryAfter: Duration?, reason: String)
        case changed(retryAfter: Duration?, reason: String)
    }

    /// Every server for events accepts requests of this many bytes.
    static let tinyRequestBytes = 4096

    let meaning: Meaning
    /// The receipt, if the response has one.
    let receipt: Receipt?

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - server: The server's name in reasons.
    ///   - clean: Removes secrets from the server's text, and shortens it.
    init(
        _ answer: DeliveryClient.Answer, to batch: EventBatch, server: String, clean: (String) -> String
    ) {
        let response = answer.response
        if response.status == 200 {
            let value = JSONValue(validating: response.body)  // nil: no receipt
            (meaning, receipt) = Self.receipt(value, for: batch, server: server, clean: clean)
            return
        }
        receipt = nil
        let problem = answer.problem
        let wait = answer.wait
        var reason = "\(server) answered \(response.status)"
        if let problem { reason += " \(problem.code.rawValue): \(clean(problem.detail))" }
        meaning =
            switch response.status {
            case 401 where problem == nil, 403 where problem == nil, 410 where problem == nil:
                .result(
                    .retry(after: wait, reason: "\(reason), but not as the collector does: check proxies and deploys"))
            case 400 where problem?.code == .digestMismatch:
                .changed(retryAfter: wait, reason: reason)
            case 401, 403:
                .result(.halt(reason: "\(reason); check the key"))
            case 410:
                .result(.halt(reason: "\(reason); the endpoint no longer exists, set another one"))
            case 408, 425, 429, 500...:
                .result(.retry(after: wait, reason: reason))
            case 409 where problem?.code == .fork:
                .result(.newGeneration(acknowledged: problem?.acknowledged ?? [], reason: reason))
            case 409 where problem?.code == .installTaken:
                // Ignore numbers that another install has.
                .result(.newGeneration(acknowledged: [], reason: reason))
            case 409:
                // The request may still be running (draft-ietf-httpapi-idempotency-key-header).
                .result(.retry(after: wait, reason: reason))
            case 413 where wait != nil:
                // Temporary: https://www.rfc-editor.org/rfc/rfc9110#section-15.5.14
                .result(.retry(after: wait, reason: reason))
            case 413 where problem == nil && answer.bodyBytes <= Self.tinyRequestBytes && batch.records.count == 1:
                .misconfigured(
                    retryAfter: nil,
                    reason: "\(reason) to \(answer.bodyBytes) bytes; raise the limit of the server or proxy")
            case 413:
                .result(.rejected(reason: reason))
            case 422:
                .result(.void(reason: reason))
            case 200..<300:
                .result(.retry(after: wait, reason: "\(reason), which is not a receipt"))
            case 300..<400:
                .misconfigured(
                    retryAfter: wait, reason: "\(reason), which was not followed: \(clean(answer.declined ?? ""))")
            default:
                .misconfigured(retryAfter: wait, reason: "\(reason); check the endpoint's URL and the server")
            }
    }

    private static func receipt(
        _ value: JSONValue?, for batch: EventBatch, server: String, clean: (String) -> String
    ) -> (Meaning, Receipt?) {
        func retry(_ why: String) -> (Meaning, Receipt?) {
            (.result(.retry(after: nil, reason: "\(server) answered 200 \(why)")), nil)
        }
        guard let value else { return retry("without a JSON receipt") }
        let receipt: Receipt
        do { receipt = try Receipt(value) } catch { return retry("with an unreadable receipt: \(error)") }
        guard receipt.batchID == batch.id, receipt.installID == batch.installID else {
            return retry("with the receipt of another batch")
        }
        let verdicts = ReceiptVerdicts(receipt, for: batch, clean: clean)
        guard verdicts.namedCount > 0 else { return retry("with a receipt that lists no event of the batch") }
        return (.result(.judged(verdicts.verdicts, checkpoint: receipt.name.checkpoint)), receipt)
    }
}
