internal import CollectorIntake
internal import CollectorReading
internal import CollectorStore
internal import CoreMetrics
internal import DeliveryProtocol
internal import EventModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Primitives

/// `POST /v1/events` in steps: the header, the body as it arrives, the lines, and the response when they are on the
/// disk. No step blocks, so ``EventsHandler`` runs them on the connection's event loop.
struct EventsRoute {
    /// A request in progress. Pass it to ``EventsRoute/end(_:)`` however it ends.
    struct Incoming {
        let key: AccessKey
        let receivedAt: EventTime
        fileprivate let address: String?
        fileprivate let encoding: BodyEncoding
        fileprivate let id: String?
        fileprivate let sentAt: EventTime?
        /// The client's number of this attempt, from 1.
        fileprivate let attempt: Int
        fileprivate let digest: String?
        fileprivate var wire = ByteBuffer()
        /// The bytes reserved in ``LoadLimits``.
        fileprivate var held = 0
        fileprivate var bodyLength = 0
        fileprivate var work = 0
        /// See ``RecentBatches/forgotten``.
        fileprivate var forgotten = 0

        fileprivate var content: RecentBatches.Content {
            RecentBatches.Content(body: wire, encoding: encoding, keyID: key.id, id: id)
        }
    }

    /// What follows a complete body.
    enum Step {
        case store(Submission)
        /// The body was answered before; see ``RecentBatches``.
        case `repeat`(Receipt)
    }

    let collector: Collector

    private var settings: CollectorSettings { collector.settings }

    /// Checks the header of a request.
    ///
    /// - Parameter address: The client's; nil if it is unknown.
    func begin(_ request: HTTPRequest, from address: String?) throws(DeliveryProblem) -> Incoming {
        let fields = EventsFields(request.headerFields)
        let key = try collector.authorize(fields.authorization, .write)
        let receivedAt = settings.now()
        let encoding = try encoding(of: fields)
        if let length = fields.contentLength.flatMap({ Int($0) }), length > settings.limits.maximumBytes {
            throw tooLong()
        }
        let id = try id(of: fields)
        let sentAt = try sentAt(of: fields)
        let attempt = try attempt(of: fields)
        guard !collector.readiness.isDraining else {
            throw DeliveryProblem(
                .unavailable, "the collector is shutting down; resend the batch later",
                retryAfter: collector.advice.seconds(at: receivedAt))
        }
        guard collector.load.begin(address) else { throw busy(receivedAt) }
        return Incoming(
            key: key, receivedAt: receivedAt, address: address, encoding: encoding, id: id, sentAt: sentAt,
            attempt: attempt,
            digest: fields.contentDigest)
    }

    /// Adds a part of the body.
    func add(_ part: ByteBuffer, to incoming: inout Incoming) throws(DeliveryProblem) {
        guard incoming.wire.readableBytes + part.readableBytes <= settings.limits.maximumBytes else {
            throw tooLong()
        }
        try reserve(part.readableBytes, for: &incoming)
        if incoming.wire.readableBytes == 0 {
            incoming.wire = part
        } else {
            incoming.wire.writeImmutableBuffer(part)
        }
    }

    /// Validates the lines of the complete body, unless it was answered before.
    func step(after incoming: inout Incoming) throws(DeliveryProblem) -> Step {
        try collector.checkRejected(incoming.key, from: incoming.address, at: incoming.receivedAt, "batch")
        if let digest = incoming.digest { try check(digest, of: incoming.wire) }
        // Whether the device may use the install is decided again.
        guard let known = collector.recent.answer(to: incoming.content),
            collector.forwarding?.verdict(on: known.receipt.installID)?.concernsDevices != true
        else {
            do { return .store(try submission(of: &incoming)) } catch {
                note(error, of: incoming)
                throw error
            }
        }
        try collector.charge(
            events: known.work, bytes: known.bodyLength, to: incoming.key, install: known.receipt.installID,
            from: incoming.address, at: incoming.receivedAt, "batch")
        collector.statistics.note(attempt: incoming.attempt, of: known.receipt.name.number)
        return .repeat(known.receipt)
    }

    /// Charges the client with the work of a request that failed.
    func note(_ error: any Error, of incoming: Incoming) {
        collector.note(
            rejected: incoming.work, bytes: max(incoming.bodyLength, incoming.wire.readableBytes), error,
            key: incoming.key, from: incoming.address, at: incoming.receivedAt)
    }

    private func submission(of incoming: inout Incoming) throws(DeliveryProblem) -> Submission {
        incoming.forgotten = collector.recent.forgotten
        let body = try decompress(&incoming)
        incoming.bodyLength = body.count
        var submission = try collector.intake.submission(
            of: body,
            Intake.Facts(
                idempotencyKey: incoming.id, receivedAt: incoming.receivedAt, sentAt: incoming.sentAt,
                mayImport: incoming.key.kind == .admin))
        incoming.work = submission.work
        try collector.charge(
            events: submission.work, bytes: body.count, to: incoming.key, install: submission.installID,
            from: incoming.address, at: incoming.receivedAt, "batch")
        if let most = collector.forwarding?.state.maximumLine, submission.longestLine > most {
            throw DeliveryProblem(
                .tooLarge,
                "a line exceeds \(most) bytes, the limit of the stream; split the batch, or shorten the event")
        }
        try apply(collector.forwarding?.verdict(on: submission.installID), to: &submission)
        if let lack = collector.readiness.lackOfSpace {
            throw DeliveryProblem(
                .unavailable, "\(lack); resend the batch later",
                retryAfter: collector.advice.seconds(atLeast: 30, at: incoming.receivedAt))
        }
        return submission
    }

    /// Applies what the loaders found out about the install.
    private func apply(_ verdict: ForwardingVerdict?, to submission: inout Submission) throws(DeliveryProblem) {
        guard let verdict, let secret = submission.secretHash else { return }
        if !verdict.secretHash.isEmpty, !LineDigest.isEqual(verdict.secretHash, secret),
            let problem = SubmissionOutcome.installTaken.problem
        {
            throw problem
        }
        submission.isForkedElsewhere = verdict.isForked
    }

    /// Converts the outcome of the store to a receipt.
    func receipt(for outcome: SubmissionOutcome, to incoming: Incoming) throws(DeliveryProblem) -> Receipt {
        let now = settings.now()
        collector.readiness.committed(at: now)
        collector.advice.accepted(at: now)
        collector.metrics.bytes.increment(by: Int64(incoming.bodyLength))
        if let problem = outcome.problem { throw problem }
        guard case .accepted(let receipt, let isRepeat) = outcome else {
            throw DeliveryProblem(.internalError, "internal error; please report it")
        }
        collector.statistics.note(attempt: incoming.attempt, of: receipt.name.number)
        if !isRepeat {
            collector.statistics.note(key: incoming.key.app, of: receipt.name.number)
            collector.metrics.count(receipt, app: incoming.key.app)
        }
        let answer = try answer(with: receipt, at: now)
        // The bodies of other clients' batches would be kept for nothing.
        if isRepeat, incoming.key.kind == .write {
            collector.recent.add(
                .init(receipt: receipt, work: incoming.work, bodyLength: incoming.bodyLength), to: incoming.content,
                since: incoming.forgotten)
        }
        return answer
    }

    /// Adds what other collectors know to a receipt.
    func answer(with receipt: Receipt, at now: EventTime) throws(DeliveryProblem) -> Receipt {
        guard let forwarding = collector.forwarding else { return receipt }
        var answer = receipt
        if let verdict = forwarding.verdict(on: receipt.installID) {
            // Numbers of this batch are settled with it.
            answer.missing = NumberRanges.difference(
                NumberRanges.union(receipt.missing + verdict.missing),
                NumberRanges.union(receipt.stored + receipt.erased))
        }
        if forwarding.state.receipt >= receipt.name.number {
            answer.level = .replicated
        } else if forwarding.answersWhenReplicated {
            throw DeliveryProblem(
                .unavailable, "the batch is stored, but not replicated yet; resend it later",
                retryAfter: collector.advice.seconds(at: now))
        }
        return answer
    }

    /// Releases the reservations of a request.
    func end(_ incoming: Incoming) { collector.load.end(bytes: incoming.held, incoming.address) }

    private func reserve(_ bytes: Int, for incoming: inout Incoming) throws(DeliveryProblem) {
        guard collector.load.add(bytes: bytes, incoming.address) else { throw busy(incoming.receivedAt) }
        incoming.held += bytes
    }

    private func encoding(of fields: EventsFields) throws(DeliveryProblem) -> BodyEncoding {
        guard let type = fields.contentType, type == DeliveryHeaderField.mediaType || Self.isLines(type) else {
            throw DeliveryProblem(
                .unsupportedEncoding, "unsupported Content-Type; send \(DeliveryHeaderField.mediaType)")
        }
        guard let encoding = BodyEncoding(field: fields.contentEncoding?.trimmed) else {
            throw DeliveryProblem(
                .unsupportedEncoding,
                "unsupported Content-Encoding; send \(BodyEncoding.accepted), or no compression")
        }
        return encoding
    }

    /// Whether a media type, with or without parameters, is a type for JSON lines.
    private static func isLines(_ type: String) -> Bool {
        let name = type.split(separator: ";").first.map { String($0).trimmed.lowercased() } ?? ""
        return [DeliveryHeaderField.mediaType, "application/ndjson", "application/jsonl"].contains(name)
    }

    /// The `Idempotency-Key`: a structured string according to its draft; a bare token is accepted, too.
    private func id(of fields: EventsFields) throws(DeliveryProblem) -> String? {
        guard var id = fields.idempotencyKey else { return nil }
        if id.count > 1, id.hasPrefix("\""), id.hasSuffix("\"") { id = String(id.dropFirst().dropLast()) }
        guard id.utf8.count == 32, [UInt8](hexadecimal: id) != nil else {
            throw DeliveryProblem(.malformed, "Idempotency-Key must be the batch's id, 32 hexadecimal digits")
        }
        return id
    }

    private func attempt(of fields: EventsFields) throws(DeliveryProblem) -> Int {
        guard let text = fields.attempt else { return 1 }
        guard let attempt = Int(text), attempt >= 1 else {
            throw DeliveryProblem(.malformed, "\(DeliveryHeaderField.attempt) must be an integer of at least 1")
        }
        return attempt
    }

    private func sentAt(of fields: EventsFields) throws(DeliveryProblem) -> EventTime? {
        guard let text = fields.sentAt else { return nil }
        guard let time = EventTime(secondsSince1970: text) else {
            throw DeliveryProblem(
                .malformed, "\(DeliveryHeaderField.sentAt) must be seconds since 1970, with at most six decimals")
        }
        return time
    }

    private func tooLong() -> DeliveryProblem {
        DeliveryProblem(
            .tooLarge, "the body exceeds \(settings.limits.maximumBytes) bytes; split the batch")
    }

    private func busy(_ now: EventTime) -> DeliveryProblem {
        DeliveryProblem(
            .unavailable, "too many concurrent requests; resend the batch later",
            retryAfter: collector.advice.seconds(at: now))
    }

    private func decompress(_ incoming: inout Incoming) throws(DeliveryProblem) -> [UInt8] {
        // The most that this body can need; the rest is released below.
        let length = incoming.wire.readableBytes
        let most =
            incoming.encoding == .identity
            ? length : min(settings.limits.maximumBytes, length * settings.limits.maximumRatio)
        try reserve(most, for: &incoming)
        var decoder = try BodyDecoder(incoming.encoding, limits: settings.limits)
        let result: Result<Void, DeliveryProblem> = incoming.wire.withUnsafeReadableBytes { bytes in
            do throws(DeliveryProblem) { return .success(try decoder.write(bytes)) } catch {
                return .failure(error)
            }
        }
        try result.get()
        let body = try decoder.finish()
        collector.load.release(bytes: most - body.count, incoming.address)
        incoming.held -= most - body.count
        return body
    }

    /// Verifies the SHA-256 in `Content-Digest` (RFC 9530), if it has one.
    private func check(_ field: String, of wire: ByteBuffer) throws(DeliveryProblem) {
        guard !field.trimmed.isEmpty else {
            throw DeliveryProblem(
                .malformed, "Content-Digest is empty; send sha-256=:BASE64: of the body, or leave the field out")
        }
        for part in field.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            guard pair.count == 2, pair[0].lowercased() == "sha-256" else { continue }
            guard pair[1].hasPrefix(":"), pair[1].hasSuffix(":"),
                let expected = Data(base64Encoded: String(pair[1].dropFirst().dropLast()))
            else {
                throw DeliveryProblem(
                    .malformed,
                    "Content-Digest is not sha-256=:BASE64: of the body; correct it, or leave the field out")
            }
            let digest = SHA256.bytes(of: Array(wire.readableBytesView))
            guard digest.elementsEqual(expected) else {
                throw DeliveryProblem(
                    .digestMismatch, "the SHA-256 of the body differs from Content-Digest; resend the batch")
            }
        }
    }
}

/// The header fields of a request with events, found in one pass.
struct EventsFields {
    private(set) var authorization: String?
    private(set) var contentType: String?
    private(set) var contentEncoding: String?
    private(set) var contentLength: String?
    private(set) var contentDigest: String?
    private(set) var idempotencyKey: String?
    private(set) var attempt: String?
    private(set) var sentAt: String?

    init(_ fields: HTTPFields) {
        // A repeated field is equivalent to one with comma-separated values (RFC 9110, 5.3).
        func add(_ value: String, to all: inout String?) { all = all.map { $0 + ", " + value } ?? value }
        for field in fields {
            switch field.name {
            case .authorization: add(field.value, to: &authorization)
            case .contentType: add(field.value, to: &contentType)
            case .contentEncoding: add(field.value, to: &contentEncoding)
            case .contentLength: add(field.value, to: &contentLength)
            case .contentDigest: add(field.value, to: &contentDigest)
            case .idempotencyKey: add(field.value, to: &idempotencyKey)
            case .attempt: add(field.value, to: &attempt)
            case .sentAt: add(field.value, to: &sentAt)
            default: break
            }
        }
    }
}
