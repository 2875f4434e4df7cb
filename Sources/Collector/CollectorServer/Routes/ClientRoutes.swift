internal import CollectorIntake
internal import CollectorReading
internal import CollectorStore
internal import DeliveryProtocol
internal import EventModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import JSONLines
internal import NIOCore
internal import NIOPosix
internal import Primitives

/// The endpoints of other systems' clients. Their responses are those that the clients expect, after the messages
/// are on the disk.
struct ClientRoutes {
    let collector: Collector

    private var settings: CollectorSettings { collector.settings }
    private var limits: IntakeLimits { settings.clientLimits }

    enum Call: Equatable {
        case segment(String)
        case cloudEvents, otlp, snowplow, snowplowPixel

        /// The call of a path; nil if the path is another endpoint.
        init?(path: String) {
            switch path {
            case CloudEventsRequest.path: self = .cloudEvents
            case OTLPRequest.path: self = .otlp
            case SnowplowRequest.postPath: self = .snowplow
            case SnowplowRequest.pixelPath: self = .snowplowPixel
            default:
                guard let call = SegmentRequest.call(path: path) else { return nil }
                self = .segment(String(call))
            }
        }

        var client: ClientProtocol {
            switch self {
            case .segment: .segment
            case .cloudEvents: .cloudEvents
            case .otlp: .otlp
            case .snowplow, .snowplowPixel: .snowplow
            }
        }
    }

    /// The prefix of paths with a key.
    static let keyPath = "/key/"

    /// The key and the rest of a path `/key/KEY/…`, for clients that can't send `Authorization`.
    static func keyed(_ path: String) -> (key: String, rest: String)? {
        guard path.hasPrefix(keyPath) else { return nil }
        let parts = path.dropFirst(keyPath.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        return (String(parts[0]), "/\(parts[1])")
    }

    /// Stores the messages of a request, and responds as the client expects.
    func answer(_ request: Request, _ call: Call, in context: CollectorContext) async -> Response {
        do { return try await stored(request, call, in: context) } catch {
            let answer = collector.answer(to: error)
            guard case .otlp = call else { return Response(answer) }
            var status = Answer(
                answer.status, type: OTLPRequest.mediaType,
                ByteBuffer(bytes: OTLPRequest.status((error as? DeliveryProblem)?.detail ?? "\(answer.status)")))
            for name in [HTTPField.Name.retryAfter, .wwwAuthenticate] { status.fields[name] = answer.fields[name] }
            return Response(status)
        }
    }

    /// What a request holds until it ends.
    private struct Hold {
        /// The bytes that its body needs.
        var bytes = 0
        /// Whether the request has not named a known key yet: then it is in ``KeylessRequests``, otherwise in
        /// ``LoadLimits`` with its bytes.
        var isKeyless: Bool
    }

    private func stored(_ request: Request, _ call: Call, in context: CollectorContext) async throws -> Response {
        let now = settings.now()
        var key = try collector.key(path: request.uri.path, authorization: request.headers[.authorization])
        var hold = Hold(isKeyless: key == nil)
        guard !collector.readiness.isDraining else {
            throw unavailable("the collector is shutting down", at: now)
        }
        if hold.isKeyless {
            // Only Segment's clients send the key in the body.
            guard case .segment = call else { throw Self.noKey }
            guard collector.keyless.begin(context.address) else {
                throw unavailable("too many concurrent requests have no key in Authorization", at: now)
            }
        } else {
            try begin(at: now)
        }
        defer {
            if hold.isKeyless {
                collector.keyless.end(context.address)
            } else {
                collector.load.end(bytes: hold.bytes)
            }
        }
        let body = try await body(of: request, &hold, context, at: now)
        let query = request.uri.query ?? ""
        let (messages, bodyKey) = try await messages(of: call, body, query: query, request.headers)
        if key == nil, let bodyKey { key = try collector.writeAccess(bodyKey) }
        guard let key else { throw Self.noKey }
        let bytes = call == .snowplowPixel ? query.utf8.count : body.count
        // The address of a proxy is not that of a client.
        let source = settings.isBehindProxy || context.address.isEmpty ? nil : context.address
        let outcome = try await store(messages, bytes: bytes, client: call.client, key: key, source: source, at: now)
        return try response(call, outcome, count: messages.count)
    }

    private static let noKey = DeliveryProblem(
        .unauthorized,
        """
        the request has no known key; send it in Authorization (Bearer, or the name of Basic), send to /key/KEY/…, or, \
        with Segment's clients, as writeKey in the first 65,536 bytes of the body
        """)

    private func begin(at now: EventTime) throws(DeliveryProblem) {
        guard collector.load.begin() else {
            throw unavailable("the collector has too many concurrent requests", at: now)
        }
    }

    /// The threads that parse and convert, so that the event loops stay free. At most half of the cores, which leaves the
    /// others to the SDK's batches.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: max(1, System.coreCount / 2))
        threads.start()
        return threads
    }()

    /// Parses a body.
    private func messages(of call: Call, _ body: [UInt8], query: String, _ headers: HTTPFields) async throws
        -> (messages: [ClientMessage], key: String?)
    {
        let type = headers[.contentType]
        let maximum = limits.maximumEvents
        return try await Self.threads.runIfActive { () throws -> ([ClientMessage], String?) in
            switch call {
            case .segment(let name):
                let batch = try SegmentRequest(body, call: name[...], maximumMessages: maximum)
                return (batch.messages, batch.writeKey)
            case .cloudEvents:
                let fields = headers.map { (name: $0.name.canonicalName, value: $0.value) }
                return (
                    try CloudEventsRequest(body, type: type, fields: fields, maximumMessages: maximum).messages, nil
                )
            case .otlp: return (try OTLPRequest(body, type: type, maximumMessages: maximum).messages, nil)
            case .snowplow: return (try SnowplowRequest(body, maximumMessages: maximum).messages, nil)
            case .snowplowPixel: return (try SnowplowRequest(query: query).messages, nil)
            }
        }
    }

    private func body(
        of request: Request, _ hold: inout Hold, _ context: CollectorContext, at now: EventTime
    ) async throws -> [UInt8] {
        guard let encoding = BodyEncoding(field: request.headers[.contentEncoding]?.trimmed) else {
            throw DeliveryProblem(
                .unsupportedEncoding,
                "unsupported Content-Encoding; send \(BodyEncoding.accepted), or no compression")
        }
        let tooLong = DeliveryProblem(
            .tooLarge, "the body exceeds \(limits.maximumBytes) bytes; send fewer in one request")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.maximumBytes {
            throw tooLong
        }
        func reserve(_ bytes: Int) throws(DeliveryProblem) {
            guard hold.isKeyless || collector.load.add(bytes: bytes) else {
                throw unavailable("the collector has too many concurrent requests", at: now)
            }
            hold.bytes += bytes
        }
        var decoder = try BodyDecoder(encoding, limits: limits)
        var received = 0
        var scanner = WriteKeyScanner()
        do {
            for try await part in request.body {
                // The most that the body can need so far, compressed and decompressed.
                let ratio = encoding == .identity ? 1 : limits.maximumRatio
                let before = min(limits.maximumBytes, received * ratio)
                received += part.readableBytes
                guard received <= limits.maximumBytes else { throw tooLong }
                try reserve(part.readableBytes + min(limits.maximumBytes, received * ratio) - before)
                let result: Result<Void, DeliveryProblem> = part.withUnsafeReadableBytes { bytes in
                    do throws(DeliveryProblem) { return .success(try decoder.write(bytes)) } catch {
                        return .failure(error)
                    }
                }
                try result.get()
                guard hold.isKeyless else { continue }
                // An unknown text may be a property of the same name: the key may follow.
                if scanner.finds(in: decoder, isKey: { (try? collector.access($0)) != nil }) {
                    try begin(at: now)
                    collector.keyless.end(context.address)
                    hold.isKeyless = false
                    let bytes = hold.bytes
                    hold.bytes = 0
                    try reserve(bytes)
                    context.keyIsKnown()
                } else if max(received, decoder.count) > WriteKeyScanner.maximumBytes {
                    throw Self.noKey
                }
            }
        } catch let problem as DeliveryProblem {
            throw problem
        } catch {
            throw ConnectionEnded()
        }
        guard !hold.isKeyless else { throw Self.noKey }
        let body = try decoder.finish()
        let needed = body.count * Self.memoryPerByte
        if needed > hold.bytes {
            try reserve(needed - hold.bytes)
        } else {
            collector.load.release(bytes: hold.bytes - needed)
            hold.bytes = needed
        }
        return body
    }

    /// The memory that reading a body takes, in bytes for each of its bytes: a tree of short values and the events.
    private static let memoryPerByte = 8

    private struct Outcome {
        /// The number of messages that were new, without rejected ones.
        var stored: Int64 = 0
        var rejected: [(index: Int, reason: String)]
    }

    /// - Parameters:
    ///   - bytes: The size of the request's decompressed body.
    ///   - source: The sender's address, in whose turn the messages are stored; nil if it is unknown.
    private func store(
        _ messages: [ClientMessage], bytes: Int, client: ClientProtocol, key: AccessKey, source: String?,
        at now: EventTime
    ) async throws -> Outcome {
        try collector.charge(
            events: max(1, messages.count), bytes: bytes, to: key, install: nil, from: source ?? "", at: now, "messages"
        )
        if let lack = collector.readiness.lackOfSpace { throw unavailable(lack, at: now) }
        let clients = collector.clients
        let app = collector.foreignApp(key.app)
        let maximumLine = collector.forwarding?.state.maximumLine
        let converted = try await Self.threads.runIfActive {
            try clients.convert(
                messages, of: client, app: app, receivedAt: now, maximumLine: maximumLine, bodyBytes: bytes)
        }
        var outcome = Outcome(rejected: converted.rejected)
        // If a portion can't be stored, the client sends all again, and the stored ones are known.
        for portion in converted.portions {
            guard case .accepted(let receipt, _) = try await collector.store.submit(portion, source: source)
            else {
                throw DeliveryProblem(.internalError, "internal error; please report it")
            }
            outcome.stored += (NumberRanges.count(receipt.stored) - NumberRanges.count(receipt.duplicates)).value
            // A receipt without a number stored nothing.
            if receipt.name.number > 0 { collector.statistics.note(key: key.app, of: receipt.name.number) }
            collector.metrics.count(receipt, app: key.app)
        }
        let done = settings.now()
        collector.readiness.committed(at: done)
        collector.advice.accepted(at: done)
        return outcome
    }

    private func unavailable(_ why: String, at now: EventTime) -> DeliveryProblem {
        DeliveryProblem(
            .unavailable, "\(why); resend the messages later", retryAfter: collector.advice.seconds(at: now))
    }

    /// A pixel of 1 × 1 points, transparent, as GIF.
    private static let pixel: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x21, 0xF9, 4, 1, 0,
        0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    ]

    private func response(_ call: Call, _ outcome: Outcome, count: Int) throws -> Response {
        switch call {
        case .segment:
            return .json { json in
                json.beginObject()
                json.key("success")
                json.bool(true)
                Self.write(outcome, count, to: &json)
                json.endObject()
            }
        case .cloudEvents:
            return .json { json in
                json.beginObject()
                Self.write(outcome, count, to: &json)
                json.endObject()
            }
        case .otlp:
            let reason = outcome.rejected.first.map { "record \($0.index): \($0.reason)" } ?? ""
            return .make(
                .ok, type: OTLPRequest.mediaType,
                ByteBuffer(bytes: OTLPRequest.response(rejected: outcome.rejected.count, message: reason)))
        case .snowplow: return .make(.ok, type: "text/plain; charset=utf-8", ByteBuffer(string: "ok"))
        case .snowplowPixel: return .make(.ok, type: "image/gif", ByteBuffer(bytes: Self.pixel))
        }
    }

    /// Writes what became of the messages. A client that knows only its own protocol ignores these members.
    private static func write(_ outcome: Outcome, _ count: Int, to json: inout JSONWriter) {
        json.key("received")
        json.integer(count)
        json.key("stored")
        json.integer(outcome.stored)
        json.key("rejected")
        json.beginArray()
        for (index, reason) in outcome.rejected.prefix(maximumRejections) {
            json.beginObject()
            json.key("index")
            json.integer(index)
            json.key("message")
            json.string(reason)
            json.endObject()
        }
        json.endArray()
        if outcome.rejected.count > maximumRejections {
            json.key("has_more_rejected")
            json.bool(true)
        }
    }

    /// The maximum number of rejected messages that a response lists.
    private static let maximumRejections = 1000
}
