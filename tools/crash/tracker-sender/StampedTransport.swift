internal import CrashSupport
internal import TrackingHTTP

/// The system's HTTP client, which also sends the time at which a request was begun.
struct StampedTransport: DeliveryTransport {
    private let transport: any DeliveryTransport = .system()

    func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
        let stamp = DeliveryField("X-Begun", "\(MonotonicTime.now)")
        return try await transport.send(
            DeliveryRequest(
                method: request.method, url: request.url, fields: request.fields + [stamp], body: request.body,
                timeout: request.timeout, maximumResponseBytes: request.maximumResponseBytes,
                cutsResponse: request.cutsResponse))
    }
}
