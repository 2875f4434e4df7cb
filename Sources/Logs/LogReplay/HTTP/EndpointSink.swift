package import DeliveryHTTP
internal import Foundation

/// Posts batches as JSON lines (`application/x-ndjson`) to any endpoint, and counts what is answered by 2xx as delivered.
///
/// `Idempotency-Key` is the batch's id: the SHA-256 of its lines, also of a compressed body's. A batch that is sent again
/// has the same body and the same id.
package struct EndpointSink: ReplaySink {
    private let client: EndpointClient

    /// Makes a sink. Nothing is sent yet.
    ///
    /// - Parameter makeTransport: Called once for each connection.
    /// - Throws: `DeliverySetupError` for an address that is not safe; ``ReplayError``, `unavailable`, for one that no request
    ///   can be made to.
    package init(
        _ options: HTTPRequestOptions, makeTransport: () -> any DeliveryTransport = { SystemDeliveryTransport() }
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
