internal import CollectorIntake
internal import CollectorStore
internal import DeliveryProtocol
internal import EventModel
internal import HTTPTypes
internal import Hummingbird
internal import JSONLines
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Primitives

/// `POST /v1/installs/{install_id}/erasures`: an install erases one of its users.
struct ErasureRoute {
    let collector: Collector

    /// The maximum size of a body, in bytes: enough for ``InstallErasure/maximumRanges`` ranges.
    static let maximumBytes = 512 << 10

    /// Responds when the marks are on the disk.
    ///
    /// - Parameter address: The client's; nil if it is unknown.
    func erase(_ request: Request, of installID: String, from address: String?) async throws -> Response {
        let now = collector.settings.now()
        let key = try collector.authorize(request.headers[.authorization], .write)
        guard (1...128).contains(installID.utf8.count), !installID.hasControls else {
            throw DeliveryProblem(
                .malformed, "the install id in the path must have 1 to 128 bytes, without control characters")
        }
        guard !collector.readiness.isDraining else { throw unavailable("the collector is shutting down", at: now) }
        guard collector.load.begin(address) else {
            throw unavailable("the collector has too many concurrent requests", at: now)
        }
        var held = 0
        defer { collector.load.end(bytes: held, address) }
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? Self.maximumBytes
        let needed = Self.memoryPerByte * max(0, min(length, Self.maximumBytes))
        guard collector.load.add(bytes: needed, address) else {
            throw unavailable("the collector has too many concurrent requests", at: now)
        }
        held = needed
        try collector.checkRejected(key, from: address, at: now, "erasure")
        let body: [UInt8]
        do { body = Array(try await request.body.collect(upTo: Self.maximumBytes).readableBytesView) } catch {
            throw DeliveryProblem(
                .tooLarge,
                "the body exceeds \(Self.maximumBytes) bytes or is truncated; split the numbers into several requests")
        }
        let erasure = try await collector.threads.run(of: address) { [headers = request.headers] in
            do { return try parse(body, headers, of: installID) } catch {
                collector.note(rejected: 0, bytes: body.count, error, key: key, from: address, at: now)
                throw error
            }
        }
        // As much as an event for each range.
        try collector.charge(
            events: 1 + erasure.numbers.count, bytes: 0, to: key, install: erasure.installID, from: address, at: now,
            "erasure")
        try checkSecret(erasure)
        let store = collector.store
        let searched = try await NIOThreadPool.singleton.runIfActive {
            try store.search(erasure, receivedAt: now)
        }
        let outcome = try await store.erase(searched)
        collector.readiness.committed(at: collector.settings.now())
        if let problem = outcome.problem { throw problem }
        guard case .accepted(let receipt, let isRepeat) = outcome else {
            throw DeliveryProblem(.internalError, "internal error; please report it")
        }
        collector.forgetErased()
        if !isRepeat {
            collector.metrics.count(receipt, app: key.app)
            collector.logger.notice(
                "marked a user's events as erased",
                metadata: ["marked": "\(receipt.marked)", "events": "\(receipt.events)"])
        }
        return try .json(receipt)
    }

    /// The memory that reading a body needs, in bytes for each of its bytes.
    private static let memoryPerByte = 8

    private func parse(
        _ body: [UInt8], _ headers: HTTPFields, of installID: String
    ) throws(DeliveryProblem) -> InstallErasure {
        if let encoding = headers[.contentEncoding]?.trimmed.lowercased(), encoding != "identity" {
            throw DeliveryProblem(
                .unsupportedEncoding, "a request for an erasure must not be compressed; send plain JSON")
        }
        guard let json = JSONValue(validating: body) else {
            throw DeliveryProblem(.malformed, "the body is not JSON; send an object with id, secret and user_id")
        }
        let erasure: InstallErasure
        do { erasure = try InstallErasure(json, installID: installID) } catch {
            throw DeliveryProblem(.malformed, "the body is invalid: \(error)")
        }
        guard !erasure.userID.unicodeScalars.contains("\0") else {
            throw DeliveryProblem(.malformed, "user_id has U+0000, which no stored event has")
        }
        guard erasure.numbers.count <= InstallErasure.maximumRanges else {
            throw DeliveryProblem(
                .tooLarge,
                "the request has more than \(InstallErasure.maximumRanges) ranges; split the numbers into several requests"
            )
        }
        try collector.settings.limits.check(max(erasure.through ?? 0, erasure.numbers.last?.upperBound ?? 0))
        if let key = headers[.idempotencyKey]?.trimmed, key != erasure.id, key != "\"\(erasure.id)\"" {
            throw DeliveryProblem(.malformed, "Idempotency-Key differs from /id in the body; send the erasure's id")
        }
        return erasure
    }

    /// Checks the secret that another collector knows of the install; the store checks its own. An install of other
    /// systems' clients has none.
    private func checkSecret(_ erasure: InstallErasure) throws {
        let known = collector.forwarding?.verdict(on: erasure.installID)?.secretHash ?? []
        let isOther = !known.isEmpty && !LineDigest.isEqual(known, SHA256.bytes(of: Array(erasure.secret.utf8)))
        guard isOther || collector.intake.namespace(of: erasure.installID) != nil,
            let problem = ErasureOutcome.wrongSecret.problem
        else { return }
        throw problem
    }

    private func unavailable(_ why: String, at now: EventTime) -> DeliveryProblem {
        DeliveryProblem(
            .unavailable, "\(why); resend the erasure later", retryAfter: collector.advice.seconds(at: now))
    }
}
