internal import EventLog
internal import Foundation
internal import LogFiles

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Posts batches as JSON lines (`application/x-ndjson`) to an endpoint.
///
/// `Idempotency-Key` is the batch's id: the SHA-256 of its lines, also of a compressed body's. A batch that is sent again
/// has the same body and the same id.
package final class HTTPSink: ReplaySink {
    private let options: HTTPRequestOptions
    private let session: URLSession

    /// Makes a sink. Nothing is sent yet.
    package init(_ options: HTTPRequestOptions) {
        self.options = options
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = options.connections
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = options.timeout / .seconds(1)
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    package func deliver(_ batch: ReplayBatch) async throws -> SinkAnswer {
        var request = URLRequest(url: options.url)
        request.httpMethod = "POST"
        request.timeoutInterval = options.timeout / .seconds(1)
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        for (name, value) in options.headers { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue(batch.id, forHTTPHeaderField: "Idempotency-Key")
        if options.compresses {
            request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
            request.httpBody = Data(try batch.body.withUnsafeBytes { try GzipMember.compress($0) })
        } else {
            request.httpBody = Data(batch.body)
        }
        do {
            let (_, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else {
                return .refused(SinkReason("\(options.shownURL) does not speak HTTP"))
            }
            return HTTPAnswer(
                status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After")
            ).sinkAnswer(name: options.shownURL, events: batch.count, now: Date())
        } catch let error as URLError {
            return answer(to: error)
        } catch is CancellationError {
            return .retry(after: nil, SinkReason("sending to \(options.shownURL) was cut short"))
        }
    }

    private func answer(to error: URLError) -> SinkAnswer {
        let name = options.shownURL
        switch error.code {
        case .cannotConnectToHost:
            return .unreachable(SinkReason("nobody answers at \(name): check the host and the port, and that it runs"))
        case .cannotFindHost, .dnsLookupFailed:
            return .unreachable(SinkReason("there is no host of the name in \(name): check it"))
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            return .unreachable(SinkReason("no secure connection to \(name) can be made: check its certificate"))
        case .timedOut:
            let seconds = options.timeout.components.seconds
            return .retry(after: nil, SinkReason("\(name) did not answer within \(seconds) s"))
        default:
            return .retry(after: nil, SinkReason("the connection to \(name) broke (\(error.code.rawValue))"))
        }
    }
}

/// Takes a redirection for the answer: followed, it would turn a post into a request that delivers nothing.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
