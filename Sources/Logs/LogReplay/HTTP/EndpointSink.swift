package import DeliveryHTTP
internal import Foundation

/// Posts batches as JSON lines (`application/x-ndjson`) to any endpoint. A 2xx response counts as delivered.
///
/// `Idempotency-Key` is the batch's id: the SHA-256 of its uncompressed lines. A resent batch has the same body and
/// id.
package struct EndpointSink: ReplaySink {
    private let client: EndpointClient

    /// Creates a sink. Sends nothing yet.
    ///
    /// - Parameter makeTransport: Called once for each connection.
    /// - Throws: `DeliverySetupError` for an insecure URL; ``ReplayError``, `unavailable`, for a URL that requests
    ///   cannot use.
    package init(
        _ options: HTTPRequestOptions, makeTransport: () throws -> any DeliveryTransport = { SystemDeliveryTransport() }
    ) throws {
        client = try EndpointClient(options, wantsReceipts: false, makeTransport: makeTransport)
    }

    package func deliver(_ batch: ReplayBatch) async -> SinkAnswer {
        switch await client.post(batch.id, batch.body, lane: batch.lane) {
        case .failure(let failure): failure.answer
        case .success(let answer):
            HTTPAnswer(status: answer.response.status, retryAfter: answer.response["Retry-After"])
                .sinkAnswer(name: client.name, events: batch.count, now: Date())
        }
    }
}
