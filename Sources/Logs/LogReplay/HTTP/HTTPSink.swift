internal import EventLog
package import Foundation
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
    private let exchanges = HTTPExchanges()

    /// Makes a sink. Nothing is sent yet.
    package init(_ options: HTTPRequestOptions) {
        self.options = options
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = options.connections
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = options.timeout / .seconds(1)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // Each request has been answered or cancelled by now.
    deinit { session.finishTasksAndInvalidate() }

    package func deliver(_ batch: ReplayBatch) async throws -> SinkAnswer {
        var request = URLRequest(url: options.url)
        request.httpMethod = "POST"
        request.timeoutInterval = options.timeout / .seconds(1)
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        var given: Set<String> = []
        for (name, value) in options.headers {
            // The first of a name takes the place of what is usual, the others stand beside it.
            if given.insert(name.lowercased()).inserted {
                request.setValue(value, forHTTPHeaderField: name)
            } else {
                request.addValue(value, forHTTPHeaderField: name)
            }
        }
        request.setValue(batch.id, forHTTPHeaderField: "Idempotency-Key")
        if options.compresses {
            request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
            request.httpBody = Data(try batch.body.withUnsafeBytes { try GzipMember.compress($0) })
        } else {
            request.httpBody = Data(batch.body)
        }
        do {
            let response = try await exchanges.send(request, by: session, within: options.timeout)
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
        case .badURL, .unsupportedURL:
            return .unreachable(SinkReason("the URL \(name) cannot be used: check its host and its port"))
        case .timedOut:
            let seconds = options.timeout / .seconds(1)
            let shown = seconds.rounded() == seconds ? "\(Int(seconds))" : "\(seconds)"
            return .retry(after: nil, SinkReason("\(name) did not answer within \(shown) s"))
        default:
            return .retry(after: nil, SinkReason("the connection to \(name) broke (\(error.code.rawValue))"))
        }
    }
}

/// How batches are posted.
package struct HTTPRequestOptions: Sendable {
    /// `http` or `https`.
    package let url: URL
    /// Sent with each batch, beside what the sink sets itself. Several of a name are sent as one, with commas between their
    /// values (RFC 9110, 5.3).
    package var headers: [(name: String, value: String)] = []
    /// Whether bodies are compressed.
    package var compresses = false
    /// How long an answer may take, from the first byte that is sent to its status.
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
}

/// What an endpoint answered.
package struct HTTPAnswer {
    private let status: Int
    /// The header as it was sent: seconds, or a date (RFC 9110, 10.2.3).
    private let retryAfter: String?

    package init(status: Int, retryAfter: String?) {
        self.status = status
        self.retryAfter = retryAfter
    }

    /// What that means for a batch.
    ///
    /// 2xx is delivered; 408, 425, 429 and 5xx come again later; 413 wants less at a time; all others will never be
    /// taken.
    package func sinkAnswer(name: String, events: Int, now: Date) -> SinkAnswer {
        let reason = SinkReason(status: status, "\(name) answered \(status)")
        switch status {
        case 200..<300: return .delivered(ReplayResult(kept: events))
        case 408, 425, 429, 500...: return .retry(after: wait(now: now), reason)
        case 413: return .tooLarge(reason)
        default: return .refused(reason)
        }
    }

    /// How long it asks to wait; nil if it does not say.
    private func wait(now: Date) -> Duration? {
        guard let text = retryAfter?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 31)) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: text).map { .seconds(max(0, min($0.timeIntervalSince(now), 0x1p31))) }
    }
}
