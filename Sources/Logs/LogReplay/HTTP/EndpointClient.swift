package import DeliveryHTTP
internal import EventModel
package import Foundation
internal import Primitives

/// How batches are posted.
package struct HTTPRequestOptions: Sendable {
    /// The endpoint: `https`, or `http` with a loopback address.
    package let url: URL
    /// Sent with each batch. One that the client sends itself takes the place of the client's. Several of a name are sent as
    /// one, with commas between their values (RFC 9110, 5.3).
    package var headers: [(name: String, value: String)] = []
    /// Sent as `Authorization: Bearer`; nil for an endpoint that asks for none, or a header of your own.
    package var key: WriteKey?
    /// Whether bodies may be compressed.
    package var compresses = false
    /// How long an answer may take, from the first byte that is sent to its last.
    package var timeout: Duration = .seconds(30)
    /// How many batches are under way at most.
    package var connections = 1

    package init(url: URL) { self.url = url }

    /// The URL without its query, which may hold a key.
    package var shownURL: String {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.query = nil
        return parts?.string ?? "the endpoint"
    }

    /// ``headers``, each name once.
    fileprivate var fields: [DeliveryField] {
        var fields: [DeliveryField] = []
        for (name, value) in headers {
            if let index = fields.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
                fields[index] = DeliveryField(fields[index].name, "\(fields[index].value), \(value)")
            } else {
                fields.append(DeliveryField(name, value))
            }
        }
        return fields
    }
}

/// Posts bodies, each within the time that its whole exchange may take. Safe from any thread.
struct EndpointClient: Sendable {
    /// How messages name the endpoint.
    let name: String
    private let timeout: Duration
    /// One for each lane: each keeps its connection.
    private let clients: [DeliveryClient]

    /// Makes a client. Sends nothing.
    ///
    /// - Parameters:
    ///   - wantsReceipts: Whether the whole response is needed.
    ///   - makeTransport: Called once for each connection.
    /// - Throws: `DeliverySetupError` for an address that is not safe; ``ReplayError``, `unavailable`, for one that no request
    ///   can be made to.
    init(
        _ options: HTTPRequestOptions, url: URL? = nil, wantsReceipts: Bool, makeTransport: () -> any DeliveryTransport
    ) throws {
        name = options.shownURL
        timeout = options.timeout
        let endpoint: DeliveryEndpoint
        do throws(DeliverySetupError) { endpoint = try DeliveryEndpoint(url ?? options.url) } catch {
            guard error.code == .malformedURL else { throw error }
            throw ReplayError(.unavailable, "the URL \(name) cannot be used: check its host and its port")
        }
        var own = DeliveryClient.Options()
        own.compresses = options.compresses
        own.fields = options.fields
        if !wantsReceipts {
            // Only the status counts. What is read keeps the connection for another request.
            own.maximumResponseBytes = 64 << 10
            own.cutsResponses = true
        }
        clients = (0..<max(1, options.connections)).map { _ in
            DeliveryClient(
                endpoint, key: options.key, transport: makeTransport(), timeout: max(.seconds(1), options.timeout),
                options: own)
        }
    }

    /// Posts a body.
    ///
    /// - Returns: The answer, or what it means that there is none.
    func post(_ id: String, _ body: [UInt8], lane: Int) async -> Result<DeliveryClient.Answer, NoAnswer> {
        let client = clients[lane % clients.count]
        let isLate = Locked(false)
        let exchange = Task { () async -> Result<DeliveryClient.Answer, DeliveryTransportError> in
            do throws(DeliveryTransportError) {
                return .success(
                    try await client.post(.init(id: id, lines: body, attempt: nil), now: { EventTime.now }))
            } catch { return .failure(error) }
        }
        let timer = Task {
            guard (try? await Task.sleep(for: timeout)) != nil else { return }  // thrown: it is over
            isLate.withLock { $0 = true }
            exchange.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await exchange.value
        } onCancel: {
            exchange.cancel()
        }
        return result.mapError { NoAnswer(answer(to: $0, isLate: isLate.withLock { $0 })) }
    }

    /// Why there is no answer.
    struct NoAnswer: Error {
        let answer: SinkAnswer

        init(_ answer: SinkAnswer) { self.answer = answer }
    }

    private func answer(to error: DeliveryTransportError, isLate: Bool) -> SinkAnswer {
        switch error.code {
        case .cannotConnect:
            return .unreachable(
                SinkReason("no server answers at \(name): check the host and the port, and that it runs"))
        case .unknownHost:
            return .unreachable(SinkReason("there is no host of the name in \(name): check it"))
        case .insecure:
            return .unreachable(SinkReason("no secure connection to \(name) can be made: check its certificate"))
        case .malformed:
            return .refused(SinkReason("\(name) does not speak HTTP"))
        case .timedOut,
            .cancelled where isLate:
            let seconds = timeout / .seconds(1)
            let shown = seconds.rounded() == seconds ? "\(Int(seconds))" : "\(seconds)"
            return .retry(after: nil, SinkReason("\(name) did not answer within \(shown) s"))
        case .cancelled:
            return .retry(after: nil, SinkReason("sending to \(name) was cut short"))
        default:
            return .retry(after: nil, SinkReason("the connection to \(name) broke (\(error.message))"))
        }
    }
}

extension EventTime {
    /// The system's time.
    static var now: EventTime { EventTime(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }
}
