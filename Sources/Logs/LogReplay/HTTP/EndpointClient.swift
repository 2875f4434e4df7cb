package import DeliveryHTTP
package import Foundation
internal import Primitives

package struct HTTPRequestOptions: Sendable {
    /// The endpoint: `https`, or `http` with a loopback address.
    package let url: URL
    /// Headers of each request. They replace the client's own headers. Several values of a header are joined with
    /// commas (RFC 9110, section 5.3).
    package var headers: [(name: String, value: String)] = []
    /// Sent as `Authorization: Bearer`; nil for none, or to use a header instead.
    package var key: WriteKey?
    /// Whether to compress bodies.
    package var compresses = false
    /// The time limit from the first byte sent to the last byte received.
    package var timeout: Duration = .seconds(30)
    /// The most batches in flight.
    package var connections = 1

    package init(url: URL) { self.url = url }

    /// The URL without its query, which may contain a key.
    package var shownURL: String {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.query = nil
        return parts?.string ?? "the endpoint"
    }

    /// The ``headers``, with the values of each name joined.
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

/// Posts bodies, each with a time limit for the whole exchange. Thread-safe.
struct EndpointClient: Sendable {
    /// The endpoint's name in messages.
    let name: String
    private let timeout: Duration
    /// One client per lane, each with its own connection.
    private let clients: [DeliveryClient]

    /// Creates a client. Sends nothing.
    ///
    /// - Parameters:
    /// - wantsReceipts: Whether to read responses completely.
    /// - makeTransport: Called once for each connection.
    /// - Throws: `DeliverySetupError` for an insecure URL; ``ReplayError``, `unavailable`, for a URL that requests
    ///   cannot use.
    init(
        _ options: HTTPRequestOptions, url: URL? = nil, wantsReceipts: Bool,
        makeTransport: () throws -> any DeliveryTransport
    ) throws {
        name = options.shownURL
        timeout = options.timeout
        let endpoint: DeliveryEndpoint
        do throws(DeliverySetupError) { endpoint = try DeliveryEndpoint(url ?? options.url) } catch {
            guard error.code == .malformedURL else { throw error }
            throw ReplayError(.unavailable, "invalid URL \(name): check its host and port")
        }
        var own = DeliveryClient.Options()
        own.compresses = options.compresses
        own.fields = options.fields
        if !wantsReceipts {
            // Only the status matters. Reading the response allows the connection to be reused.
            own.maximumResponseBytes = 64 << 10
            own.cutsResponses = true
        }
        clients = try (0..<max(1, options.connections)).map { _ in
            DeliveryClient(
                endpoint, key: options.key, transport: try makeTransport(), timeout: max(.seconds(1), options.timeout),
                options: own)
        }
    }

    /// Posts a body.
    ///
    /// - Returns: The response, or the meaning of its absence.
    func post(_ id: String, _ body: [UInt8], lane: Int) async -> Result<DeliveryClient.Answer, NoAnswer> {
        let client = clients[lane % clients.count]
        let isLate = Locked(false)
        let exchange = Task { () async -> Result<DeliveryClient.Answer, DeliveryTransportError> in
            do throws(DeliveryTransportError) {
                return .success(
                    try await client.post(.init(id: id, lines: body, attempt: nil)))
            } catch { return .failure(error) }
        }
        let timer = Task {
            guard await ContinuousClock().sleepUnlessCancelled(for: timeout) else {
                return  // cancelled: the exchange is over
            }
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

    /// The outcome of an exchange without a response.
    struct NoAnswer: Error {
        let answer: SinkAnswer

        init(_ answer: SinkAnswer) { self.answer = answer }
    }

    private func answer(to error: DeliveryTransportError, isLate: Bool) -> SinkAnswer {
        switch error.code {
        case .cannotConnect:
            return .unreachable(
                SinkReason("cannot connect to \(name): check the host and the port, and that the server is running"))
        case .unknownHost:
            return .unreachable(SinkReason("unknown host in \(name): check its spelling"))
        case .insecure:
            return .unreachable(SinkReason("no secure connection to \(name): check its certificate"))
        case .malformed:
            return .refused(SinkReason("the response of \(name) is not HTTP"))
        case .timedOut,
            .cancelled where isLate:
            let seconds = timeout / .seconds(1)
            let shown = seconds.rounded() == seconds ? "\(Int(seconds))" : "\(seconds)"
            return .retry(after: nil, SinkReason("\(name) did not respond within \(shown) s"))
        case .cancelled:
            return .retry(after: nil, SinkReason("sending to \(name) was interrupted"))
        default:
            return .retry(after: nil, SinkReason("the connection to \(name) was lost (\(error.message))"))
        }
    }
}
