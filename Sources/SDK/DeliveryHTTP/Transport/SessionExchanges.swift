internal import Foundation
internal import Primitives

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The current requests of a session. Thread-safe.
final class SessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
    typealias Outcome = Result<DeliveryResponse, DeliveryTransportError>

    fileprivate struct Exchange {
        /// nil once the caller was resumed.
        var caller: CheckedContinuation<Outcome, Never>?
        var reader: ResponseReader
        var status: Int?
        /// Whether the whole body was sent.
        var isSent = false
        /// Whether a redirect was declined. The task then ends by itself; the open-source Foundation traps if the task
        /// is canceled at that moment.
        var isRedirected = false
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    /// Sends a request with a session whose delegate is this object.
    ///
    /// - Parameter mayContinue: Whether the body may still be sent; nil if it always may.
    func send(
        _ request: URLRequest, by session: URLSession, reader: ResponseReader, mayContinue: (@Sendable () -> Bool)?
    ) async -> Outcome {
        if mayContinue?() == false { return .failure(.denied) }
        let task = session.dataTask(with: request)
        var watching: Task<Void, Never>?
        if let mayContinue { watching = Task { await self.watch(task, mayContinue) } }
        defer { watching?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                exchanges.withLock {
                    $0[task.taskIdentifier] = Exchange(caller: caller, reader: reader)
                }
                task.resume()
                if Task.isCancelled { self.end(task, .failure(.cancelled)) }
            }
        } onCancel: {
            end(task, .failure(.cancelled))
        }
    }

    /// Ends a task if its body may no longer be sent. Returns when the body was sent, or the task has ended.
    private func watch(_ task: URLSessionTask, _ mayContinue: @Sendable () -> Bool) async {
        while await ContinuousClock().sleepUnlessCancelled(for: .milliseconds(100)) {
            let isSending = exchanges.withLock { $0[task.taskIdentifier]?.isSent == false }
            guard isSending else { return }
            guard mayContinue() else { return end(task, .failure(.denied)) }
        }
    }

    /// Resumes the caller early, and cancels the task.
    private func end(_ task: URLSessionTask, _ outcome: Outcome) {
        let cancels = exchanges.withLock { exchanges in
            guard let exchange = exchanges[task.taskIdentifier] else { return false }
            return !exchange.isRedirected
        }
        settle(task, outcome)
        if cancels { task.cancel() }
    }

    /// Resumes the caller, once.
    private func settle(_ task: URLSessionTask, _ outcome: Outcome) {
        let caller = exchanges.withLock { exchanges in
            defer { exchanges[task.taskIdentifier]?.caller = nil }
            return exchanges[task.taskIdentifier]?.caller
        }
        caller?.resume(returning: outcome)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard totalBytesSent >= totalBytesExpectedToSend else { return }
        exchanges.withLock { $0[task.taskIdentifier]?.isSent = true }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let failure = exchanges.withLock { $0[dataTask.taskIdentifier]?.receive(response) }
        completionHandler(failure == nil ? .allow : .cancel)
        // The open-source Foundation continues regardless of the disposition.
        if let failure { end(dataTask, .failure(failure)) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let outcome = exchanges.withLock { exchanges in
            guard let isRead = exchanges[dataTask.taskIdentifier]?.reader.receive(body: data), !isRead else {
                return nil as Outcome?
            }
            return exchanges[dataTask.taskIdentifier]?.outcome(nil)
        }
        if let outcome { end(dataTask, outcome) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // A declined redirect only arrives here.
        let isLate = exchanges.withLock { $0[task.taskIdentifier]?.status == nil }
        if isLate, error == nil, let response = task.response {
            exchanges.withLock { _ = $0[task.taskIdentifier]?.receive(response) }
        }
        let outcome = exchanges.withLock { $0[task.taskIdentifier]?.outcome(error) }
        if let outcome { settle(task, outcome) }
        exchanges.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let isAwaited = exchanges.withLock { exchanges in
            guard exchanges[task.taskIdentifier]?.caller != nil else { return false }
            exchanges[task.taskIdentifier]?.isRedirected = true
            return true
        }
        // Never call the handler for a task that is being canceled: the open-source Foundation traps.
        if isAwaited { completionHandler(nil) }
    }
}

extension SessionExchanges.Exchange {
    /// Reads a response's header.
    ///
    /// - Returns: The error that ends the exchange; nil to continue.
    fileprivate mutating func receive(_ response: URLResponse) -> DeliveryTransportError? {
        guard let response = response as? HTTPURLResponse else {
            return DeliveryTransportError(.malformed, "the response is not HTTP")
        }
        // The open-source Foundation also delivers interim responses.
        guard response.statusCode >= 200 else { return nil }
        status = response.statusCode
        for (name, value) in response.allHeaderFields {
            guard reader.add(DeliveryField("\(name)", "\(value)")) else { return reader.failure }
        }
        return nil
    }

    /// The result of the exchange at its end.
    fileprivate func outcome(_ error: (any Error)?) -> SessionExchanges.Outcome {
        if let failure = reader.failure { return .failure(failure) }
        if let error { return .failure(DeliveryTransportError(error)) }
        guard let status else {
            return .failure(DeliveryTransportError(.connectionLost, "the connection was closed without a response"))
        }
        return .success(reader.response(status: status))
    }
}

extension DeliveryTransportError {
    /// Foundation's errors, without their URLs.
    fileprivate init(_ error: any Error) {
        guard let error = error as? URLError else {
            self.init(.other, "the request failed")
            return
        }
        let number = error.code.rawValue
        switch error.code {
        case .cancelled: self = .cancelled
        case .cannotConnectToHost: self.init(.cannotConnect, "cannot connect to the server")
        case .cannotFindHost, .dnsLookupFailed: self.init(.unknownHost, "cannot resolve the host's name")
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            self.init(.offline, "no network is available")
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self.init(.insecure, "cannot make a secure connection: check the certificate (\(number))")
        case .timedOut: self.init(.timedOut, "the request timed out")
        case .networkConnectionLost, .badServerResponse:
            self.init(.connectionLost, "the connection was closed too early (\(number))")
        case .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
            self.init(.malformed, "the response is not HTTP (\(number))")
        default: self.init(.other, "the request failed (\(number))")
        }
    }
}
