internal import DeliveryProtocol
package import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives

/// Posts lines to an endpoint: compression, digest, key, redirects. Thread-safe.
///
/// **Redirects.** 307 and 308 are followed with the same body, at most ``maximumRedirections`` times, and only to the
/// endpoint's own origin: key and events are never sent to another scheme, host or port. Other redirects would turn a
/// `POST` into a `GET` (RFC 9110, section 15.4), which delivers nothing; the caller receives their response.
///
/// **Compression.** Bodies from 1 KiB are compressed with gzip. If the server answers 415, the request is repeated
/// without compression, and the process no longer compresses bodies for this server.
package struct DeliveryClient: Sendable {
    /// The maximum number of redirects per request.
    package static let maximumRedirections = 3
    /// The maximum length of a response body.
    package static let maximumResponseBytes = 1 << 20

    /// The destination of requests.
    package let endpoint: DeliveryEndpoint
    /// The key, sent to that endpoint only; nil if the endpoint requires none.
    package let key: WriteKey?
    private let transport: any DeliveryTransport
    private let timeout: Duration
    private let memory: CompressionMemory
    private let options: Options

    /// Options that differ between an app's sink and a tool that sends to any endpoint.
    package struct Options: Sendable {
        /// Whether bodies may be compressed.
        package var compresses = true
        /// Additional fields of each request. They replace the client's own fields of the same name.
        package var fields: [DeliveryField] = []
        /// The maximum length of a response body.
        package var maximumResponseBytes = DeliveryClient.maximumResponseBytes
        /// Whether a longer response body is truncated instead of being an error.
        package var cutsResponses = false

        package init() {}
    }

    /// Makes a client. Sends no request.
    ///
    /// - Parameter timeout: See ``DeliveryRequest/timeout``.
    package init(
        _ endpoint: DeliveryEndpoint, key: WriteKey?, transport: any DeliveryTransport, timeout: Duration,
        memory: CompressionMemory = .process, options: Options = Options()
    ) {
        self.endpoint = endpoint
        self.key = key
        self.transport = transport
        self.timeout = timeout
        self.memory = memory
        self.options = options
    }

    /// A client for another page of the same server.
    package func at(_ endpoint: DeliveryEndpoint, options: Options) -> DeliveryClient {
        DeliveryClient(endpoint, key: key, transport: transport, timeout: timeout, memory: memory, options: options)
    }

    package struct Content: Sendable {
        /// The `Idempotency-Key`.
        package let id: String
        /// Lines, each with its line feed.
        package let lines: [UInt8]
        /// The number of this attempt, from 1; nil if the sender does not count attempts.
        package let attempt: Int?

        package init(id: String, lines: [UInt8], attempt: Int?) {
            self.id = id
            self.lines = lines
            self.attempt = attempt
        }
    }

    /// The last response to a request.
    package struct Answer: Sendable {
        package let response: DeliveryResponse
        /// The length of the request's body, in bytes on the wire.
        package let bodyBytes: Int
        /// The reason why a redirect was not followed; nil without one.
        package let declined: String?
    }

    /// Posts lines and returns the server's response.
    ///
    /// - Parameter now: Returns the send time of each request.
    /// - Throws: ``DeliveryTransportError``.
    package func post(_ content: Content, now: @Sendable () -> EventTime) async throws(DeliveryTransportError) -> Answer
    {
        let compresses = options.compresses && memory.allowsCompression(for: endpoint.origin)
        let body = EncodedBody(content.lines, allowsCompression: compresses)
        let answer = try await post(body, content: content, now: now)
        guard answer.response.status == 415, body.isCompressed else { return answer }
        memory.forbidCompression(for: endpoint.origin)
        return try await post(EncodedBody(content.lines, allowsCompression: false), content: content, now: now)
    }

    private func post(
        _ body: EncodedBody, content: Content, now: @Sendable () -> EventTime
    ) async throws(DeliveryTransportError) -> Answer {
        var url = endpoint.url
        var redirections = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            let response = try await transport.send(
                DeliveryRequest(
                    url: url, fields: fields(body, content: content, now: now()), body: body.bytes, timeout: timeout,
                    maximumResponseBytes: options.maximumResponseBytes, cutsResponse: options.cutsResponses))
            var declined: String?
            if response.status == 307 || response.status == 308 {
                switch target(of: response, from: url, after: redirections) {
                case .success(let next):
                    url = next
                    redirections += 1
                    continue
                case .failure(let reason): declined = reason.text
                }
            } else if 300..<400 ~= response.status {
                declined = "it would turn the delivery into a GET; set the endpoint to its target, or answer 308"
            }
            return Answer(response: response, bodyBytes: body.bytes.count, declined: declined)
        }
    }

    /// Reads from the endpoint and returns the server's response.
    ///
    /// Follows 301, 302, 307 and 308 like ``post(_:now:)``: at most ``maximumRedirections`` times, and only to the
    /// endpoint's own origin.
    ///
    /// - Parameter extra: Additional fields of the request.
    /// - Throws: ``DeliveryTransportError``.
    package func get(_ extra: [DeliveryField]) async throws(DeliveryTransportError) -> Answer {
        var fields = [DeliveryField("Accept", "application/json"), DeliveryField("User-Agent", "swift-tracking")]
        if let key { fields.append(DeliveryField("Authorization", key.authorization)) }
        var url = endpoint.url
        var redirections = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            let response = try await transport.send(
                DeliveryRequest(
                    method: .get, url: url, fields: fields + extra, timeout: timeout,
                    maximumResponseBytes: options.maximumResponseBytes, cutsResponse: options.cutsResponses))
            var declined: String?
            if [301, 302, 307, 308].contains(response.status) {
                switch target(of: response, from: url, after: redirections) {
                case .success(let next):
                    url = next
                    redirections += 1
                    continue
                case .failure(let reason): declined = reason.text
                }
            }
            return Answer(response: response, bodyBytes: 0, declined: declined)
        }
    }

    private func fields(_ body: EncodedBody, content: Content, now: EventTime) -> [DeliveryField] {
        var time = JSONWriter()
        time.seconds(microseconds: now.microseconds)
        var fields = [
            DeliveryField("Content-Type", DeliveryHeaderField.mediaType),
            DeliveryField("Accept", "application/json, application/problem+json"),
            DeliveryField("User-Agent", "swift-tracking"),
            DeliveryField(DeliveryHeaderField.idempotencyKey, content.id),
            DeliveryField(DeliveryHeaderField.contentDigest, body.digest),
            DeliveryField(DeliveryHeaderField.sentAt, time.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }),
        ]
        if let attempt = content.attempt { fields.append(DeliveryField(DeliveryHeaderField.attempt, "\(attempt)")) }
        if let key { fields.append(DeliveryField("Authorization", key.authorization)) }
        if body.isCompressed { fields.append(DeliveryField("Content-Encoding", "gzip")) }
        let names = Set(options.fields.map { $0.name.lowercased() })
        return fields.filter { !names.contains($0.name.lowercased()) } + options.fields
    }

    private struct Declined: Error {
        let text: String
    }

    private func target(of response: DeliveryResponse, from url: URL, after count: Int) -> Result<URL, Declined> {
        guard let location = response["Location"], let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let next = try? DeliveryEndpoint(target)  // the reason is the same for all
        else { return .failure(Declined(text: "its Location is not a URL that accepts events")) }
        guard next.origin == endpoint.origin else {
            return .failure(
                Declined(
                    text:
                        "keys and events are never sent to another origin; if it is correct, set the endpoint to \(next)"
                ))
        }
        guard count < Self.maximumRedirections else {
            return .failure(Declined(text: "it is redirect \(count + 1) of the same request"))
        }
        return .success(next.url)
    }
}

/// The servers that do not accept compressed bodies, for the lifetime of the process. Thread-safe.
package final class CompressionMemory: Sendable {
    /// The memory that all clients of the process share.
    package static let process = CompressionMemory()

    private let origins = Locked<Set<String>>([])

    package init() {}

    /// Whether bodies for a server may be compressed.
    func allowsCompression(for origin: String) -> Bool { !origins.withLock { $0.contains(origin) } }

    /// Records that a server has answered 415 to a compressed body.
    func forbidCompression(for origin: String) { origins.withLock { _ = $0.insert(origin) } }
}
