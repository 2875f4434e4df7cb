import DeliveryHTTP
import Primitives

/// Returns the configured responses, and records requests.
final class TransportDouble: DeliveryTransport {
    typealias Answer = Result<DeliveryResponse, DeliveryTransportError>

    private let state: Locked<(answers: [Answer], requests: [DeliveryRequest])>

    init(_ answers: [Answer]) { state = Locked((answers, [])) }

    var requests: [DeliveryRequest] { state.withLock { $0.requests } }

    func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty
                ? .failure(DeliveryTransportError(.other, "no answer is left")) : state.answers.removeFirst()
        }
        return try answer.get()
    }
}
