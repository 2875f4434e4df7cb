#if Collector
    internal import CoreMetrics
    internal import Logging
    internal import CollectorIntake
    internal import CollectorStore
    internal import DeliveryProtocol
    internal import EventModel
    internal import Foundation
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import NIOFoundationCompat
    internal import Primitives

    /// `POST /v1/events`: reads a batch, judges its lines, stores it, and answers when it is on the disk.
    struct EventsRoute {
        let collector: Collector

        private var settings: CollectorSettings { collector.settings }

        func post(_ request: Request, by key: AccessKey) async throws -> Response {
            let receivedAt = settings.now()
            let encoding = try encoding(of: request)
            try checkLength(request)
            let (id, sentAt) = (try id(of: request), try sentAt(of: request))
            guard !collector.readiness.isDraining else {
                throw DeliveryProblem(
                    .unavailable, "the collector is shutting down: send the batch again later",
                    retryAfter: collector.advice.seconds(at: receivedAt))
            }
            guard collector.load.begin() else { throw busy(receivedAt) }
            var held = 0
            defer { collector.load.end(bytes: held) }
            let wire = try await read(request, &held, receivedAt)
            if let digest = request.headers[.contentDigest] { try check(digest, of: wire) }
            let body = try decompress(wire, encoding, &held, receivedAt)
            let submission = try collector.intake.submission(
                of: body,
                Intake.Facts(
                    idempotencyKey: id, receivedAt: receivedAt, sentAt: sentAt, mayImport: key.kind == .admin))
            try checkQuota(submission, key, receivedAt)
            guard collector.readiness.hasSpace else {
                throw DeliveryProblem(
                    .unavailable, "the collector has too little free space: send the batch again later",
                    retryAfter: collector.advice.seconds(atLeast: 30, at: receivedAt))
            }
            let outcome = try await collector.store.submit(submission)
            let now = settings.now()
            collector.readiness.committed(at: now)
            collector.advice.accepted(at: now)
            collector.metrics.bytes.increment(by: Int64(body.count))
            if let problem = outcome.problem { throw problem }
            guard case .accepted(let receipt, let isRepeat) = outcome else {
                throw DeliveryProblem(.internalError, "internal error; please report it")
            }
            if !isRepeat { collector.metrics.count(receipt, app: key.app) }
            return try .json(receipt)
        }

        // MARK: Before the body

        private func encoding(of request: Request) throws(DeliveryProblem) -> BodyEncoding {
            guard let type = request.headers[.contentType], type == DeliveryHeaderField.mediaType || Self.isLines(type)
            else {
                throw DeliveryProblem(
                    .unsupportedEncoding, "the Content-Type must be \(DeliveryHeaderField.mediaType), lines of JSON")
            }
            guard let encoding = BodyEncoding(field: request.headers[.contentEncoding]?.trimmed) else {
                throw DeliveryProblem(
                    .unsupportedEncoding, "the Content-Encoding must be one of \(BodyEncoding.accepted), or absent")
            }
            return encoding
        }

        /// Whether a media type, with or without parameters, is one of lines of JSON.
        private static func isLines(_ type: String) -> Bool {
            let name = type.split(separator: ";").first.map { String($0).trimmed.lowercased() } ?? ""
            return [DeliveryHeaderField.mediaType, "application/ndjson", "application/jsonl"].contains(name)
        }

        /// The `Idempotency-Key`: a structured string in its draft; a bare token is accepted, too.
        private func id(of request: Request) throws(DeliveryProblem) -> String? {
            guard var id = request.headers[.idempotencyKey] else { return nil }
            if id.count > 1, id.hasPrefix("\""), id.hasSuffix("\"") { id = String(id.dropFirst().dropLast()) }
            guard id.utf8.count == 32, [UInt8](hexadecimal: id) != nil else {
                throw DeliveryProblem(.malformed, "Idempotency-Key must be the batch's id, 32 hexadecimal digits")
            }
            return id
        }

        private func sentAt(of request: Request) throws(DeliveryProblem) -> EventTime? {
            if let attempt = request.headers[.attempt], (Int64(attempt) ?? 0) < 1 {
                throw DeliveryProblem(.malformed, "\(DeliveryHeaderField.attempt) must be a whole number from 1 on")
            }
            guard let text = request.headers[.sentAt] else { return nil }
            guard let time = EventTime(secondsSince1970: text) else {
                throw DeliveryProblem(
                    .malformed, "\(DeliveryHeaderField.sentAt) must be seconds since 1970, with at most six decimals")
            }
            return time
        }

        private func checkLength(_ request: Request) throws(DeliveryProblem) {
            guard let length = request.headers[.contentLength].flatMap({ Int($0) }),
                length > settings.limits.maximumBytes
            else { return }
            throw tooLong()
        }

        private func tooLong() -> DeliveryProblem {
            DeliveryProblem(
                .tooLarge, "the body has more than \(settings.limits.maximumBytes) bytes: split the batch")
        }

        private func busy(_ now: EventTime) -> DeliveryProblem {
            DeliveryProblem(
                .unavailable, "too many requests are being served: send the batch again later",
                retryAfter: collector.advice.seconds(at: now))
        }

        // MARK: The body

        private func read(_ request: Request, _ held: inout Int, _ now: EventTime) async throws -> ByteBuffer {
            var wire: ByteBuffer?
            do {
                for try await part in request.body {
                    let length = (wire?.readableBytes ?? 0) + part.readableBytes
                    guard length <= settings.limits.maximumBytes else { throw tooLong() }
                    guard collector.load.add(bytes: part.readableBytes) else { throw busy(now) }
                    held += part.readableBytes
                    if wire == nil { wire = part } else { wire?.writeImmutableBuffer(part) }
                }
            } catch let problem as DeliveryProblem {
                throw problem
            } catch {
                throw ConnectionEnded()
            }
            let whole = wire ?? ByteBuffer()
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), whole.readableBytes < length {
                throw ConnectionEnded()
            }
            return whole
        }

        private func decompress(
            _ wire: ByteBuffer, _ encoding: BodyEncoding, _ held: inout Int, _ now: EventTime
        ) throws(DeliveryProblem) -> [UInt8] {
            // At most this much, and given back in any case.
            let most =
                encoding == .identity
                ? wire.readableBytes
                : min(settings.limits.maximumBytes, wire.readableBytes * settings.limits.maximumRatio)
            guard collector.load.add(bytes: most) else { throw busy(now) }
            held += most
            var decoder = try BodyDecoder(encoding, limits: settings.limits)
            let result: Result<Void, DeliveryProblem> = wire.withUnsafeReadableBytes { bytes in
                do throws(DeliveryProblem) { return .success(try decoder.write(bytes)) } catch {
                    return .failure(error)
                }
            }
            try result.get()
            let body = try decoder.finish()
            collector.load.give(bytes: most - body.count)
            held -= most - body.count
            return body
        }

        /// Checks `Content-Digest` (RFC 9530), as far as it has a SHA-256.
        private func check(_ field: String, of wire: ByteBuffer) throws(DeliveryProblem) {
            guard !field.trimmed.isEmpty else { throw DeliveryProblem(.malformed, "Content-Digest is empty") }
            for part in field.split(separator: ",") {
                let pair = part.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
                guard pair.count == 2, pair[0].lowercased() == "sha-256" else { continue }
                guard pair[1].hasPrefix(":"), pair[1].hasSuffix(":"),
                    let expected = Data(base64Encoded: String(pair[1].dropFirst().dropLast()))
                else { throw DeliveryProblem(.malformed, "Content-Digest is no sha-256=:BASE64: of the body") }
                let digest = LineDigest.bytes(of: Array(wire.readableBytesView))
                guard digest.elementsEqual(expected) else {
                    throw DeliveryProblem(
                        .malformed, "the body has another SHA-256 than Content-Digest says: send it again")
                }
            }
        }

        // MARK: Quotas

        private func checkQuota(_ submission: Submission, _ key: AccessKey, _ now: EventTime) throws(DeliveryProblem) {
            guard key.kind == .write else { return }
            let events = max(1, submission.lineCount)
            func refuse(_ whose: String, _ wait: Double) -> DeliveryProblem {
                DeliveryProblem(
                    .overQuota, "the \(whose) sends more events than its quota allows: send the batch again later",
                    retryAfter: collector.advice.seconds(atLeast: wait, at: now))
            }
            // An install that sends too much must not use up the quota of its key, which others share.
            if let wait = collector.installQuota.take(events, of: submission.installID, at: now) {
                throw refuse("install", wait)
            }
            if let wait = collector.keyQuota.take(events, of: key.id, at: now) {
                collector.installQuota.give(events, of: submission.installID)
                throw refuse("key", wait)
            }
        }
    }
#endif
