package import DeliveryProtocol
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
/// **Consent.** No request starts, also not after a redirect or a 415, once ``Content/mayContinue`` returns false, and an
/// upload is reset.
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
    private let clock: @Sendable () -> ClockReading
    private let serverClock: ServerClock

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
    /// - Parameters:
    ///   - timeout: See ``DeliveryRequest/timeout``.
    ///   - clock: The send time of requests, and the reference for a `Retry-After` with a date.
    package init(
        _ endpoint: DeliveryEndpoint, key: WriteKey?, transport: any DeliveryTransport, timeout: Duration,
        memory: CompressionMemory = .process, options: Options = Options(),
        clock: @escaping @Sendable () -> ClockReading = { .now }, serverClock: ServerClock = ServerClock()
    ) {
        self.endpoint = endpoint
        self.key = key
        self.transport = transport
        self.timeout = timeout
        self.memory = memory
        self.options = options
        self.clock = clock
        self.serverClock = serverClock
    }

    /// A client for another page of the same server.
    package func at(_ endpoint: DeliveryEndpoint, options: Options) -> DeliveryClient {
        DeliveryClient(
            endpoint, key: key, transport: transport, timeout: timeout, memory: memory, options: options, clock: clock,
            serverClock: serverClock)
    }

    /// Whether ``Content/noteShare`` is called as soon as a body is sent.
    package var reportsProgress: Bool { transport.reportsProgress }

    /// Identifies the endpoint and the key, without containing them.
    package var target: String {
        let parts = "swift-tracking target\n\(endpoint.url.absoluteString)\n\(key?.authorization ?? "")"
        return Array(SHA256.bytes(of: Array(parts.utf8)).prefix(16)).hexadecimal
    }

    package struct Content: Sendable {
        /// The `Idempotency-Key`.
        package let id: String
        /// Lines, each with its line feed.
        package let lines: [UInt8]
        /// The number of this attempt, from 1; nil if the sender does not count attempts.
        package let attempt: Int?
        /// Whether the body may be compressed.
        package var compresses = true
        /// Whether the body may still be sent; nil if it always may.
        package var mayContinue: (@Sendable () -> Bool)?
        /// Receives the share of the body that has arrived, 0 to 1.
        package var noteShare: (@Sendable (Double) -> Void)?

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
        /// The body as a problem of this protocol; nil if it is another one, such as a proxy's page.
        package let problem: DeliveryProblem?
        /// The wait that the server requests.
        package let wait: Duration?
    }

    private func answer(_ response: DeliveryResponse, bodyBytes: Int, declined: String?) -> Answer {
        let now = clock()
        serverClock.note(response, at: now)
        let isProblem = !(200..<300).contains(response.status)
        let problem = isProblem ? JSONValue(validating: response.body).flatMap(DeliveryProblem.init) : nil
        return Answer(
            response: response, bodyBytes: bodyBytes, declined: declined, problem: problem,
            wait: RetryAfter.wait(response, at: now, clock: serverClock)
                ?? problem?.retryAfter.flatMap { RetryAfter.limited(.seconds($0)) })
    }

    /// No longer compresses bodies for this server, in this process.
    package func forbidCompression() { memory.forbidCompression(for: endpoint.origin) }

    /// Posts lines and returns the server's response.
    ///
    /// - Throws: ``DeliveryTransportError``.
    package func post(_ content: Content) async throws(DeliveryTransportError) -> Answer {
        let compresses = content.compresses && options.compresses && memory.allowsCompression(for: endpoint.origin)
        let body = EncodedBody(content.lines, allowsCompression: compresses)
        let answer = try await post(body, content: content)
        guard answer.response.status == 415, body.isCompressed else { return answer }
        forbidCompression()
        return try await post(EncodedBody(content.lines, allowsCompression: false), content: content)
    }

    private func post(_ body: EncodedBody, content: Content) async throws(DeliveryTransportError) -> Answer {
        let count = Double(max(1, body.bytes.count))
        var noteAcknowledged: (@Sendable (Int) -> Void)?
        if let noteShare = content.noteShare { noteAcknowledged = { noteShare(Double($0) / count) } }
        var url = endpoint.url
        var redirections = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            if content.mayContinue?() == false { throw .denied }
            let response = try await transport.send(
                DeliveryRequest(
                    url: url, fields: fields(body, content: content, now: clock().time), body: body.bytes,
                    timeout: timeout, maximumResponseBytes: options.maximumResponseBytes,
                    cutsResponse: options.cutsResponses, mayContinue: content.mayContinue,
                    noteAcknowledged: noteAcknowledged))
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
            return answer(response, bodyBytes: body.bytes.count, declined: declined)
        }
    }

    /// Reads from the endpoint and returns the server's response.
    ///
    /// Follows 301, 302, 307 and 308 like ``post(_:)``: at most ``maximumRedirections`` times, and only to the
    /// endpoint's own origin.
    ///
    /// - Parameter extra: Additional fields of the request.
    /// - Throws: ``DeliveryTransportError``.
    package func get(_ extra: [DeliveryField]) async throws(DeliveryTransportError) -> Answer {
        var fields = [DeliveryField("Accept", "application/json")] + Self.ownFields
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
            return answer(response, bodyBytes: 0, declined: declined)
        }
    }

    /// Responses are short. The transports decode gzip nevertheless, since some proxies compress everything.
    private static let ownFields = [
        DeliveryField("User-Agent", "swift-tracking"), DeliveryField("Accept-Encoding", "identity"),
    ]

    private func fields(_ body: EncodedBody, content: Content, now: EventTime) -> [DeliveryField] {
        var time = JSONWriter()
        time.seconds(microseconds: now.microseconds)
        var fields = [
            DeliveryField("Content-Type", DeliveryHeaderField.mediaType),
            DeliveryField("Accept", "application/json, application/problem+json"),
            DeliveryField(DeliveryHeaderField.idempotencyKey, content.id),
            DeliveryField(DeliveryHeaderField.contentDigest, body.digest),
            DeliveryField(DeliveryHeaderField.sentAt, time.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }),
        ]
        fields += Self.ownFields
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
