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

    /// A body as it was sent, in parts: an array that grows needs up to three times the memory of its bytes, and hundreds of
    /// bodies arrive or wait simultaneously.
    private struct Received: Sendable {
        private static let longestPart = 16 << 10
        private(set) var parts: [[UInt8]] = []
        private(set) var count = 0

        mutating func append(_ bytes: ByteBufferView) {
            var rest = bytes[...]
            while !rest.isEmpty {
                if parts.last.map({ $0.count >= Self.longestPart }) ?? true { parts.append([]) }
                let fitting = rest.prefix(Self.longestPart - parts[parts.count - 1].count)
                parts[parts.count - 1] += fitting
                rest = rest.dropFirst(fitting.count)
            }
            count += bytes.count
        }
    }

    /// A request without its body.
    private struct Arrival: Sendable {
        let call: Call
        let encoding: BodyEncoding
        let query: String
        let headers: HTTPFields
        /// The client's address; nil if it is unknown.
        let address: String?
        let time: EventTime
    }

    private func stored(_ request: Request, _ call: Call, in context: CollectorContext) async throws -> Response {
        let now = settings.now()
        let key = try collector.key(path: request.uri.path, authorization: request.headers[.authorization])
        var hold = Hold(isKeyless: key == nil)
        guard !collector.readiness.isDraining else {
            throw unavailable("the collector is shutting down", at: now)
        }
        guard let encoding = BodyEncoding(field: request.headers[.contentEncoding]?.trimmed) else {
            throw DeliveryProblem(
                .unsupportedEncoding,
                "unsupported Content-Encoding; send \(BodyEncoding.accepted), or no compression")
        }
        let arrival = Arrival(
            call: call, encoding: encoding, query: request.uri.query ?? "", headers: request.headers,
            address: collector.client(context.address), time: now)
        if hold.isKeyless {
            // Only Segment's clients send the key in the body.
            guard case .segment = call else { throw Self.noKey }
            guard collector.keyless.begin(arrival.address) else {
                throw unavailable("too many concurrent requests have no key in Authorization", at: now)
            }
        } else {
            try begin(arrival)
        }
        defer {
            if hold.isKeyless {
                collector.keyless.end(arrival.address)
            } else {
                collector.load.end(bytes: hold.bytes, arrival.address)
            }
        }
        let body = try await body(of: request, arrival, hold: &hold, context)
        try collector.checkRejected(key, from: arrival.address, at: now, "messages")
        // The most that the body can need; the rest is released when its size is known.
        try reserve(encoding == .identity ? body.count : most(of: body.count), for: &hold, arrival)
        let conversion = try await collector.threads.run(of: arrival.address) { [held = hold.bytes] in
            Conversion(of: body, arrival, key: key, held: held, routes: self)
        }
        hold.bytes = conversion.held
        let converted: ClientIntake.Result
        do { converted = try conversion.result.get() } catch {
            collector.note(
                rejected: conversion.count, bytes: max(conversion.bytes, body.count), error, key: key,
                from: arrival.address, at: now)
            throw error
        }
        let outcome = try await store(converted, app: conversion.app, source: arrival.address)
        return try response(call, outcome, count: conversion.count)
    }

    /// The most bytes that a compressed body of a size can have.
    private func most(of count: Int) -> Int { min(limits.maximumBytes, count * limits.maximumRatio) }

    private static let noKey = DeliveryProblem(
        .unauthorized,
        """
        the request has no known key; send it in Authorization (Bearer, or the name of Basic), send to /key/KEY/…, or, \
        with Segment's clients, as writeKey in the first 65,536 bytes of the body
        """)

    private func begin(_ arrival: Arrival) throws(DeliveryProblem) {
        guard collector.load.begin(arrival.address) else { throw busy(arrival) }
    }

    private func busy(_ arrival: Arrival) -> DeliveryProblem {
        unavailable("the collector has too many concurrent requests", at: arrival.time)
    }

    private func reserve(_ bytes: Int, for hold: inout Hold, _ arrival: Arrival) throws(DeliveryProblem) {
        guard hold.isKeyless || collector.load.add(bytes: bytes, arrival.address) else { throw busy(arrival) }
        hold.bytes += bytes
    }

    /// Receives a body, as it is sent.
    private func body(
        of request: Request, _ arrival: Arrival, hold: inout Hold, _ context: CollectorContext
    ) async throws -> Received {
        let tooLong = DeliveryProblem(
            .tooLarge, "the body exceeds \(limits.maximumBytes) bytes; send fewer in one request")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.maximumBytes {
            throw tooLong
        }
        var body = Received()
        // Decompresses until the key is found.
        var decoder = try BodyDecoder(arrival.encoding, limits: limits)
        var scanner = WriteKeyScanner()
        do {
            for try await part in request.body {
                guard body.count + part.readableBytes <= limits.maximumBytes else { throw tooLong }
                try reserve(part.readableBytes, for: &hold, arrival)
                body.append(part.readableBytesView)
                guard hold.isKeyless else { continue }
                let result: Result<Void, DeliveryProblem> = part.withUnsafeReadableBytes { bytes in
                    do throws(DeliveryProblem) { return .success(try decoder.write(bytes)) } catch {
                        return .failure(error)
                    }
                }
                try result.get()
                // An unknown text may be a property of the same name: the key may follow.
                if scanner.finds(in: decoder, isKey: { (try? collector.access($0)) != nil }) {
                    try begin(arrival)
                    collector.keyless.end(arrival.address)
                    hold.isKeyless = false
                    let bytes = hold.bytes
                    hold.bytes = 0
                    try reserve(bytes, for: &hold, arrival)
                    context.keyIsKnown()
                } else if max(body.count, decoder.count) > WriteKeyScanner.maximumBytes {
                    throw Self.noKey
                }
            }
        } catch let problem as DeliveryProblem {
            throw problem
        } catch {
            throw ConnectionEnded()
        }
        guard !hold.isKeyless else { throw Self.noKey }
        return body
    }

    /// The memory that reading a body takes, in bytes for each of its bytes: a tree of short values and the events.
    private static let memoryPerByte = 8

    /// A body that is decompressed, parsed, charged to the quotas and converted. Making one blocks.
    private struct Conversion: Sendable {
        /// The bytes that the request holds.
        private(set) var held: Int
        /// The size of the decompressed body.
        private(set) var bytes = 0
        /// The number of messages.
        private(set) var count = 0
        /// The app of the key.
        private(set) var app = ""
        private(set) var result: Result<ClientIntake.Result, any Error> = .failure(ConnectionEnded())

        init(of body: Received, _ arrival: Arrival, key: AccessKey?, held: Int, routes: ClientRoutes) {
            self.held = held
            result = Result { try convert(body, arrival, key: key, routes: routes) }
        }

        private mutating func convert(
            _ wire: Received, _ arrival: Arrival, key known: AccessKey?, routes: ClientRoutes
        ) throws -> ClientIntake.Result {
            let collector = routes.collector
            let body = try decompress(wire, arrival, routes: routes)
            let (messages, bodyKey) = try Self.messages(in: body, arrival, maximum: routes.limits.maximumEvents)
            count = messages.count
            guard let key = try known ?? bodyKey.map({ try collector.writeAccess($0) }) else {
                throw ClientRoutes.noKey
            }
            app = key.app
            if arrival.call == .snowplowPixel { bytes = arrival.query.utf8.count }
            try collector.charge(
                events: max(1, count), bytes: bytes, to: key, install: nil, from: arrival.address, at: arrival.time,
                "messages")
            if let lack = collector.readiness.lackOfSpace { throw routes.unavailable(lack, at: arrival.time) }
            return try collector.clients.convert(
                messages, of: arrival.call.client, app: collector.foreignApp(app), receivedAt: arrival.time,
                maximumLine: collector.forwarding?.state.maximumLine, bodyBytes: bytes)
        }

        private mutating func decompress(
            _ wire: Received, _ arrival: Arrival, routes: ClientRoutes
        ) throws(DeliveryProblem) -> [UInt8] {
            var decoder = try BodyDecoder(arrival.encoding, limits: routes.limits)
            for part in wire.parts {
                let result: Result<Void, DeliveryProblem> = part.withUnsafeBytes { bytes in
                    do throws(DeliveryProblem) { return .success(try decoder.write(bytes)) } catch {
                        return .failure(error)
                    }
                }
                bytes = decoder.count
                try result.get()
            }
            let body = try decoder.finish()
            let needed = wire.count + body.count * ClientRoutes.memoryPerByte
            if needed > held {
                guard routes.collector.load.add(bytes: needed - held, arrival.address) else {
                    throw routes.busy(arrival)
                }
            } else {
                routes.collector.load.release(bytes: held - needed, arrival.address)
            }
            held = needed
            return body
        }

        private static func messages(
            in body: [UInt8], _ arrival: Arrival, maximum: Int
        ) throws -> (messages: [ClientMessage], key: String?) {
            let type = arrival.headers[.contentType]
            switch arrival.call {
            case .segment(let name):
                let batch = try SegmentRequest(body, call: name[...], maximumMessages: maximum)
                return (batch.messages, batch.writeKey)
            case .cloudEvents:
                let fields = arrival.headers.map { (name: $0.name.canonicalName, value: $0.value) }
                return (
                    try CloudEventsRequest(body, type: type, fields: fields, maximumMessages: maximum).messages, nil
                )
            case .otlp: return (try OTLPRequest(body, type: type, maximumMessages: maximum).messages, nil)
            case .snowplow: return (try SnowplowRequest(body, maximumMessages: maximum).messages, nil)
            case .snowplowPixel: return (try SnowplowRequest(query: arrival.query).messages, nil)
            }
        }
    }

    private struct Outcome {
        /// The number of messages that were new, without rejected ones.
        var stored: Int64 = 0
        var rejected: [(index: Int, reason: String)]
    }

    /// - Parameter source: The sender's address, in whose turn the messages are stored; nil if it is unknown.
    private func store(_ converted: ClientIntake.Result, app: String, source: String?) async throws -> Outcome {
        var outcome = Outcome(rejected: converted.rejected)
        // If a portion can't be stored, the client sends all again, and the stored ones are known.
        for portion in converted.portions {
            guard case .accepted(let receipt, _) = try await collector.store.submit(portion, source: source)
            else {
                throw DeliveryProblem(.internalError, "internal error; please report it")
            }
            outcome.stored += (NumberRanges.count(receipt.stored) - NumberRanges.count(receipt.duplicates)).value
            // A receipt without a number stored nothing.
            if receipt.name.number > 0 { collector.statistics.note(key: app, of: receipt.name.number) }
            collector.metrics.count(receipt, app: app)
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
