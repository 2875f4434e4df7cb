internal import CrashSupport
internal import TrackingHTTP

/// The system's HTTP client, which also sends the time at which a request was begun.
struct StampedTransport: DeliveryTransport {
    private let transport: any DeliveryTransport = .system()

    func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
        var stamped = request
        stamped.fields.append(DeliveryField("X-Begun", "\(MonotonicTime.now)"))
        return try await transport.send(stamped)
    }
}
