package import DeliveryHTTP
internal import DeliveryProtocol
internal import Foundation
internal import JSONLines
internal import Primitives

/// Sends lines to a collector's `POST /v1/events`. Only lines in its receipts count as delivered.
///
/// Lines of an install in ``SealedLog`` are sent as its own batches: a header with the numbers, and the exact lines.
/// Other lines are imported, which requires the admin token. A request has lines of one install. Its id derives from
/// its content, so a resent batch is identical.
///
/// | status | outcome |
/// |---|---|
/// | 200 with a receipt | delivered or rejected, line by line; the batch is retried if the receipt lacks a line |
/// | 409 `fork` | lines with different bytes than before are rejected, the others are sent without them |
/// | 413 | the batch is split |
/// | 400, 422 | rejected |
/// | 408, 425, 429, 5xx, other 409 | the batch is retried |
/// | others | the replay ends: the lines are not the cause |
package struct CollectorSink: ReplaySink {
    private let client: EndpointClient
    private let logs: [String: SealedLog]
    private let key: WriteKey?

    /// Creates a sink. Sends nothing yet.
    ///
    /// - Parameters:
    /// - options: The URL is the collector's origin, or its `/v1/events`.
    /// - logs: The installs whose batches are sent as their own.
    /// - makeTransport: Called once for each connection.
    /// - Throws: `DeliverySetupError` for an invalid URL.
    package init(
        _ options: HTTPRequestOptions, logs: [SealedLog],
        makeTransport: () throws -> any DeliveryTransport = { SystemDeliveryTransport() }
    ) throws {
        let base = try CollectorClient.base(of: options.url.absoluteString)
        client = try EndpointClient(
            options, url: URL(string: base.url.absoluteString + CollectorPath.events), wantsReceipts: true,
            makeTransport: makeTransport)
        self.logs = Dictionary(logs.map { ($0.installID, $0) }, uniquingKeysWith: { first, _ in first })
        key = options.key
    }

    package func deliver(_ batch: ReplayBatch) async throws -> SinkAnswer {
        var waiting = CollectorPortion.cut(batch, Array(0..<batch.count), logs: logs)[...]
        var refusals: [LineRefusal] = []
        while let portion = waiting.popFirst() {
            let request = portion.request(of: batch)
            let answer: DeliveryClient.Answer
            switch await client.post(request.id, request.body, lane: batch.lane) {
            case .success(let success): answer = success
            case .failure(let failure): return failure.answer
            }
            switch try meaning(of: answer, portion, batchID: request.batchID) {
            case .judged(let more): refusals += more
            case .again(let more, let indices):
                refusals += more
                waiting = CollectorPortion.cut(batch, indices, logs: logs) + waiting
            case .answer(.refused(let reason)):
                refusals += portion.lines.map { LineRefusal(index: $0.index, reason: reason) }
            case .answer(let answer): return answer
            }
        }
        return refusals.isEmpty
            ? .delivered(.init(kept: batch.count)) : .judged(refusals.sorted { $0.index < $1.index })
    }

    private enum Meaning {
        case judged([LineRefusal])
        /// Send these lines again, without the rejected ones.
        case again([LineRefusal], [Int])
        case answer(SinkAnswer)
    }

    /// - Throws: ``ReplayError``, `denied`.
    private func meaning(
        of answer: DeliveryClient.Answer, _ portion: CollectorPortion, batchID: String?
    ) throws -> Meaning {
        let response = answer.response
        let value = JSONValue(validating: response.body)  // nil: neither a receipt nor a problem
        if response.status == 200 { return receipt(value, portion, batchID: batchID) }
        let problem = answer.problem
        var text = "\(client.name) answered \(response.status)"
        if let problem { text += " \(problem.code.rawValue): \(clean(problem.detail))" }
        let reason = SinkReason(status: response.status, text)
        let wait =
            HTTPAnswer(status: response.status, retryAfter: response["Retry-After"]).wait(now: Date()) ?? answer.wait
        switch response.status {
        case 408, 425, 429, 500...: return .answer(.retry(after: wait, reason))
        case 409 where problem?.code == .fork: return fork(problem?.forked ?? [], portion: portion, reason: reason)
        case 409 where problem?.code == .installTaken:
            throw ReplayError(
                .denied, "\(text); the log is a copy with another secret: send its lines as a file")
        case 409: return .answer(.retry(after: wait, reason))
        case 413 where wait != nil: return .answer(.retry(after: wait, reason))
        case 413 where portion.lines.count > 1: return .answer(.tooLarge(reason))
        case 400, 413, 422: return .answer(.refused(reason))
        case 401: throw ReplayError(.denied, "\(text); check the token")
        case 403:
            throw ReplayError(
                .denied, "\(text); importing lines requires the admin token, unlike sending a log's own batches")
        case 200..<300:
            return .answer(.retry(after: wait, SinkReason(status: response.status, "\(text), not a receipt")))
        case 300..<400:
            throw ReplayError(.denied, "\(text), a redirect that was not followed: \(answer.declined ?? "")")
        default: throw ReplayError(.denied, "\(text); check that the URL is a collector's")
        }
    }

    private func receipt(_ value: JSONValue?, _ portion: CollectorPortion, batchID: String?) -> Meaning {
        func retry(_ why: String) -> Meaning {
            .answer(.retry(after: nil, SinkReason(status: 200, "\(client.name) answered 200 \(why)")))
        }
        guard let value else { return retry("without a receipt: check that it is a collector") }
        let receipt: Receipt
        do throws(BatchHeaderError) { receipt = try Receipt(value) } catch {
            return retry("with an unreadable receipt (\(clean("\(error)")))")
        }
        guard receipt.batchID == batchID, receipt.installID == portion.installID ?? receipt.installID else {
            return retry("with a receipt for another batch")
        }
        var rejections: [Int: Receipt.Rejection] = [:]
        for rejection in receipt.rejected {
            let line =
                portion.line(number: rejection.line)
                ?? portion.lines.first { $0.seq != nil && $0.seq == rejection.seq }
            if let line { rejections[line.index] = rejection }
        }
        let held = NumberRanges.union(receipt.stored + receipt.duplicates + receipt.unverified + receipt.erased)
        var refusals: [LineRefusal] = []
        for line in portion.lines {
            if let rejection = rejections[line.index] {
                let text = "\(client.name) rejected it, \(rejection.code): \(rejection.message)"
                refusals.append(LineRefusal(index: line.index, reason: SinkReason(status: 200, clean(text))))
            } else if let seq = line.seq, NumberRanges.contains(held, seq) {
                continue
            } else {
                return retry("with a receipt without \(line.seq.map { "number \($0)" } ?? "a line")")
            }
        }
        return .judged(refusals)
    }

    /// Rejects numbers that the collector has with different bytes; the other lines are sent without them.
    private func fork(_ forked: [ClosedRange<Int64>], portion: CollectorPortion, reason: SinkReason) -> Meaning {
        let forked = NumberRanges.union(forked)
        let isForked = { (line: CollectorPortion.Line) in line.seq.map { NumberRanges.contains(forked, $0) } ?? false }
        let refusals = portion.lines.filter(isForked).map { LineRefusal(index: $0.index, reason: reason) }
        guard !refusals.isEmpty else { return .answer(.refused(reason)) }
        return .again(refusals, portion.lines.filter { !isForked($0) }.map(\.index))
    }

    private func clean(_ text: String) -> String {
        ServerWords.shown(text) { plain in
            let shown = key?.removed(from: plain) ?? plain
            return logs.values.reduce(shown) { $0.replacing($1.secret, with: "…") }
        }
    }
}
