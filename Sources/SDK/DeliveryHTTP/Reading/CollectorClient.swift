package import DeliveryProtocol
internal import EventModel
internal import Foundation
internal import JSONLines

/// Reads the data of a collector with the admin token. Thread-safe.
///
/// Sends each request once: the caller decides about retries with ``CollectorError/isTransient`` and
/// ``CollectorError/retryAfter``. Follows no redirects: the token is never sent to another address.
package struct CollectorClient: Sendable {
    /// The maximum length of a page of lines in bytes: about three times the requested size.
    static let maximumPageBytes = 4 << 20
    /// The maximum length in bytes of a page about an install.
    static let maximumInstallBytes = 64 << 20
    /// The number of lines per page.
    package static let pageLines = 5000

    /// Scheme, host, port, and the path before `/v1`.
    package let base: DeliveryEndpoint
    private let token: WriteKey
    private let transport: any DeliveryTransport
    private let timeout: Duration

    /// Makes a client. Sends no request.
    ///
    /// - Parameters:
    ///   - base: The collector, as returned by ``base(of:)``.
    ///   - token: The admin token.
    package init(
        _ base: DeliveryEndpoint, token: WriteKey, transport: any DeliveryTransport, timeout: Duration = .seconds(30)
    ) {
        self.base = base
        self.token = token
        self.transport = transport
        self.timeout = timeout
    }

    /// The collector of a URL: its origin, or the URL of its `/v1/events` or `/v1/lines`.
    ///
    /// - Throws: ``DeliverySetupError``.
    package static func base(of text: String) throws(DeliverySetupError) -> DeliveryEndpoint {
        let endpoint = try DeliveryEndpoint(text)
        guard var parts = URLComponents(url: endpoint.url, resolvingAgainstBaseURL: true) else {
            throw DeliverySetupError(.malformedURL, "invalid collector URL: pass its origin")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw DeliverySetupError(
                .malformedURL, "the collector's URL has a query or a fragment: pass the URL without it")
        }
        var path = parts.percentEncodedPath[...]
        while path.hasSuffix("/") { path.removeLast() }
        if let known = [CollectorPath.events, CollectorPath.lines].first(where: { path.hasSuffix($0) }) {
            path.removeLast(known.count)
        } else if !path.isEmpty {
            throw DeliverySetupError(
                .malformedURL,
                """
                \(endpoint) is not an event page of a collector: pass the origin, or the URL of \
                \(CollectorPath.events) or \(CollectorPath.lines)
                """)
        }
        parts.percentEncodedPath = String(path)
        guard let url = parts.url else {
            throw DeliverySetupError(.malformedURL, "invalid collector URL: pass its origin")
        }
        return try DeliveryEndpoint(url)
    }

    /// Reads stored lines.
    ///
    /// - Parameter cursor: The cursor of the previous page; empty to start at the first line.
    /// - Throws: ``CollectorError``.
    package func lines(after cursor: String, _ selection: LinesSelection) async throws(CollectorError) -> LinesPage {
        var parameters = selection.parameters + [(LinesQuery.limit, "\(Self.pageLines)")]
        if !cursor.isEmpty { parameters.append((LinesQuery.after, cursor)) }
        let response = try await get(CollectorPath.lines, parameters, maximumBytes: Self.maximumPageBytes)
        return try LinesPage(response, after: cursor, server: "\(base)")
    }

    /// The collector's summary of an install; nil if the install is unknown.
    ///
    /// - Throws: ``CollectorError``.
    package func install(_ id: String) async throws(CollectorError) -> InstallSummary? {
        guard let value = try await page(CollectorPath.install(Self.encoded(id))) else { return nil }
        do throws(BatchHeaderError) { return try InstallSummary(value) } catch {
            throw invalid("an install", "\(error)")
        }
    }

    /// The hashes of an install's stored lines, one for each range of consecutive numbers that arrived together; empty
    /// for an unknown install.
    ///
    /// - Throws: ``CollectorError``.
    package func hashes(ofInstall id: String) async throws(CollectorError) -> [RangeHash] {
        guard let value = try await page(CollectorPath.hashes(ofInstall: Self.encoded(id))) else { return [] }
        guard case .array(let elements)? = value["hashes"] else { throw invalid("hashes", "/hashes: must be an array") }
        var hashes: [RangeHash] = []
        for (index, element) in elements.enumerated() {
            do throws(BatchHeaderError) { hashes.append(try RangeHash(element, at: "/hashes/\(index)")) } catch {
                throw invalid("hashes", "\(error)")
            }
        }
        return hashes
    }

    /// The lines that were rejected with the first receipts after a receipt; empty if there are no more.
    ///
    /// - Throws: ``CollectorError``.
    package func rejects(after receipt: Int64) async throws(CollectorError) -> [RejectedLine] {
        let response = try await get(
            CollectorPath.rejects, [("after", "\(receipt)"), ("limit", "100")], maximumBytes: Self.maximumInstallBytes)
        var lines: [RejectedLine] = []
        for line in response.body.split(separator: UInt8(ascii: "\n")) {
            guard let value = JSONValue(validating: line) else { throw invalid("rejected lines", "not JSON") }
            do throws(BatchHeaderError) { lines.append(try RejectedLine(value)) } catch {
                throw invalid("rejected lines", "\(error)")
            }
        }
        return lines
    }

    private func invalid(_ what: String, _ reason: String) -> CollectorError {
        CollectorError(.invalidAnswer, "\(base) answered 200 with \(what) that cannot be read (\(clean(reason)))")
    }

    /// The JSON of a page; nil if the requested install is unknown.
    private func page(_ path: String) async throws(CollectorError) -> JSONValue? {
        let response: DeliveryResponse
        do throws(CollectorError) {
            response = try await get(path, [], maximumBytes: Self.maximumInstallBytes)
        } catch {
            // Only a collector reports this problem: other servers have no such code.
            if error.code == .unknownInstall { return nil }
            throw error
        }
        guard let value = JSONValue(validating: response.body) else {  // the reason is the same for all
            throw CollectorError(.invalidAnswer, "\(base) answered 200 without JSON: check that it is a collector")
        }
        return value
    }

    private func get(
        _ path: String, _ parameters: [(name: String, value: String)], maximumBytes: Int
    ) async throws(CollectorError) -> DeliveryResponse {
        let query = parameters.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
        guard let url = URL(string: base.url.absoluteString + path + (query.isEmpty ? "" : "?\(query)")) else {
            throw CollectorError(.invalidQuery, "the request to \(base)\(path) is not a valid URL: check the selection")
        }
        let request = DeliveryRequest(
            method: .get, url: url,
            fields: [
                DeliveryField("Authorization", token.authorization),
                DeliveryField("Accept", "\(DeliveryHeaderField.mediaType), application/json, application/problem+json"),
                DeliveryField("User-Agent", "swift-tracking"),
            ], timeout: timeout, maximumResponseBytes: maximumBytes)
        let response: DeliveryResponse
        do throws(DeliveryTransportError) { response = try await transport.send(request) } catch {
            throw CollectorError(error, server: "\(base)")
        }
        guard response.status == 200 else { throw failure(response) }
        return response
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Percent-encodes a part of a path or a query: https://www.rfc-editor.org/rfc/rfc3986#section-2.3
    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// The error for a response other than 200.
    private func failure(_ response: DeliveryResponse) -> CollectorError {
        let problem = JSONValue(validating: response.body).flatMap(DeliveryProblem.init)  // nil: a proxy's page
        let wait =
            RetryAfter.wait(response, at: .now)
            ?? problem?.retryAfter.flatMap { RetryAfter.limited(.seconds($0)) }
        var reason = "\(base) answered \(response.status)"
        if let problem, !problem.detail.isEmpty { reason += ": \(clean(problem.detail))" }
        switch response.status {
        case 401: return CollectorError(.unauthorized, "\(reason); check the admin token")
        case 403:
            return CollectorError(
                .unauthorized, "\(reason); the token is not allowed to read: pass the admin token, not a write key")
        case 404 where problem != nil: return CollectorError(.unknownInstall, reason)
        case 404, 405, 410: return CollectorError(.noSuchPage, "\(reason); check that the URL is that of a collector")
        case 408, 425, 429, 500...: return CollectorError(.unavailable, reason, retryAfter: wait)
        case 300..<400:
            return CollectorError(.noSuchPage, "\(reason), a redirect, which is not followed; pass its target")
        case 200..<300: return CollectorError(.invalidAnswer, "\(reason) instead of 200")
        default: return CollectorError(.invalidQuery, "\(reason); check the selection, or update this program")
        }
    }

    /// A server's text without the token and control characters.
    private func clean(_ words: String) -> String { ServerWords.shown(words) { token.removed(from: $0) } }
}

extension CollectorError {
    /// An error for a request without a response.
    fileprivate init(_ error: DeliveryTransportError, server: String) {
        switch error.code {
        case .cancelled: self.init(.cancelled, "the request to \(server) was canceled")
        case .cannotConnect, .unknownHost, .insecure, .offline:
            self.init(.unreachable, "cannot reach \(server): \(error.message); check the address and that it runs")
        case .malformed, .tooLarge:
            self.init(.invalidAnswer, "cannot read the response of \(server): \(error.message)")
        default: self.init(.unavailable, "no response from \(server): \(error.message)")
        }
    }
}
