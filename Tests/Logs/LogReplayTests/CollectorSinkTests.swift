import DeliveryHTTP
import DeliveryProtocol
import EventLog
import EventModel
import Foundation
import LogFixtures
import Testing

@testable import LogReplay

/// A replay's requests to a collector, and its handling of the receipts.
@Suite("CollectorSink", .timeLimit(.minutes(5)))
struct CollectorSinkTests {
    private static let secret = String(repeating: "5", count: 32)

    private func line(_ seq: Int64, of install: String = "a", page: String = "1") -> String {
        "{\"install_id\":\"\(install)\",\"seq\":\(seq),\"event\":{\"name\":\"launch\",\"value\":{\"page\":\(page)}}}"
    }

    private func batch(_ lines: [String]) -> ReplayBatch {
        var batch = ReplayBatch(lane: 0, first: 0)
        for line in lines { Array(line.utf8).withUnsafeBytes { batch.append($0, for: .analytics) } }
        return batch
    }

    private func sink(_ collector: ReceivingCollector, logs: [SealedLog] = []) throws -> CollectorSink {
        var options = HTTPRequestOptions(url: try #require(URL(string: collector.url)))
        options.key = try WriteKey("admin-token")
        return try CollectorSink(options, logs: logs)
    }

    private func text(_ answer: SinkAnswer) -> String {
        switch answer {
        case .retry(_, let reason), .refused(let reason), .tooLarge(let reason), .unreachable(let reason): reason.text
        case .delivered, .judged: ""
        }
    }

    @Test(
        "lines of a log are sent as its own batches, with its secret; numbers explained by the ledger are in the header"
    )
    func sealed() async throws {
        let collector = try ReceivingCollector()
        let log = SealedLog(
            installID: "a", secret: Self.secret,
            missing: [
                .init(1...2, .dropped), .init(5...5, .optedOut), .init(6...6, .dropped), .init(20...30, .refused),
            ])
        let lines = [3, 4, 7, 9].map { line($0) }
        let sink = try sink(collector, logs: [log])
        #expect(try await sink.deliver(batch(lines)) == .delivered(.init(kept: 4)))
        let posts = collector.posts
        try #require(posts.count == 2)
        let first = try #require(posts[0].header)
        #expect(first.installID == "a" && first.secret == Self.secret && first.id == posts[0].id)
        #expect(first.seqs == 1...7)
        #expect(first.missing == [.init(1...2, .dropped), .init(5...5, .optedOut), .init(6...6, .dropped)])
        // Nothing explains why 8 is missing: another batch begins.
        #expect(posts[1].header?.seqs == 9...9 && posts[1].header?.missing == [])
        #expect(posts.flatMap(\.lines) == lines && collector.lines(of: "a") == lines)
        #expect(posts.allSatisfy { $0.authorization == "Bearer admin-token" })
        // Sending the same again uses the same ids.
        #expect(try await sink.deliver(batch(lines)) == .delivered(.init(kept: 4)))
        #expect(collector.posts.suffix(2).map(\.id) == posts.map(\.id))
    }

    @Test("other lines are imports without a header, one install in each")
    func imports() async throws {
        let collector = try ReceivingCollector()
        let lines = [line(1), line(5), line(1, of: "b"), line(2, of: "log"), line(3, of: "log"), line(6)]
        let log = SealedLog(installID: "log", secret: Self.secret)
        #expect(try await sink(collector, logs: [log]).deliver(batch(lines)) == .delivered(.init(kept: 6)))
        #expect(collector.posts.map { $0.header?.installID } == [nil, nil, "log", nil])
        #expect(collector.posts.map(\.lines.count) == [2, 1, 2, 1])
        #expect(collector.posts.map(\.id.utf8.count) == [64, 64, 32, 64])
    }

    @Test("only lines that the receipt rejects are rejected, even if their number cannot be read")
    func rejections() async throws {
        let collector = try ReceivingCollector(rejects: { $0.contains("\"page\":\"") })
        let lines = [line(1), line(2, page: "\"x\""), "{\"install_id\":\"a\"}", line(3)]
        let answer = try await sink(collector).deliver(batch(lines))
        guard case .judged(let refusals) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(refusals.map(\.index) == [1, 2])
        #expect(refusals.first?.reason.text == "\(collector.url) rejected it, schema: page is a string")
        let log = SealedLog(installID: "a", secret: Self.secret)
        let own = try await sink(collector, logs: [log]).deliver(batch([line(7), line(8, page: "\"y\"")]))
        guard case .judged(let refusals) = own else {
            Issue.record("\(own)")
            return
        }
        #expect(refusals.map(\.index) == [1])
    }

    @Test("lines with other bytes than stored ones are rejected, and the others are sent without them")
    func fork() async throws {
        let collector = try ReceivingCollector()
        let sink = try sink(collector)
        _ = try await sink.deliver(batch([line(2), line(3), line(4)]))
        let lines = [line(1), line(2), line(3, page: "9"), line(4, page: "9"), line(5)]
        guard case .judged(let refusals) = try await sink.deliver(batch(lines)) else {
            Issue.record("not judged")
            return
        }
        #expect(refusals.map(\.index) == [2, 3])
        #expect(refusals.allSatisfy { $0.reason.status == 409 && $0.reason.text.contains("fork") })
        #expect(collector.lines(of: "a") == [line(1), line(2), line(3), line(4), line(5)])
        #expect(collector.posts.count == 3)
    }

    @Test("a 200 without a complete receipt delivers nothing")
    func noReceipt() async throws {
        let other = Receipt(
            name: ReceiptName(collector: "c", number: 1), installID: "b", batchID: nil, stored: [1...9], highest: 9)
        let part = Receipt(
            name: ReceiptName(collector: "c", number: 1), installID: "a", batchID: nil, stored: [1...1], highest: 1)
        let texts = ["", "{}", ReceivingCollector.text(other.write), ReceivingCollector.text(part.write)]
        let collector = try ReceivingCollector(texts.map { (200, [], $0) })
        let sink = try sink(collector)
        for why in ["without a receipt", "unreadable receipt", "for another batch", "without number 2"] {
            let answer = try await sink.deliver(batch([line(1), line(2)]))
            guard case .retry(nil, let reason) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(reason.text.contains(why), "\(reason.text)")
        }
    }

    @Test(
        "temporary failures are retried, not before Retry-After; batches that are too large are halved; a malformed line is rejected"
    )
    func others() async throws {
        let collector = try ReceivingCollector([
            ReceivingCollector.problem(DeliveryProblem(.overQuota, "slow"), [("Retry-After", "7")]),
            ReceivingCollector.problem(DeliveryProblem(.unavailable, "full", retryAfter: 9)),
            ReceivingCollector.problem(DeliveryProblem(.tooLarge, "split it")),
            ReceivingCollector.problem(DeliveryProblem(.malformed, "no line")),
        ])
        let sink = try sink(collector)
        let two = batch([line(1), line(2)])
        guard case .retry(.seconds(7), _) = try await sink.deliver(two) else { throw Unexpected() }
        guard case .retry(.seconds(9), _) = try await sink.deliver(two) else { throw Unexpected() }
        guard case .tooLarge = try await sink.deliver(two) else { throw Unexpected() }
        guard case .judged(let refusals) = try await sink.deliver(two) else { throw Unexpected() }
        #expect(refusals.map(\.index) == [0, 1])
        #expect(try await sink.deliver(two) == .delivered(.init(kept: 2)))
    }

    private struct Unexpected: Error {}

    @Test(
        "a wrong token, URL or install ends the replay, and no message shows a secret",
        arguments: [DeliveryProblem.Code.unauthorized, .forbidden, .notFound, .methodNotAllowed, .installTaken])
    func denied(code: DeliveryProblem.Code) async throws {
        let problem = DeliveryProblem(code, "admin-token \(Self.secret)")
        let collector = try ReceivingCollector([ReceivingCollector.problem(problem)])
        let sink = try sink(collector, logs: [SealedLog(installID: "a", secret: Self.secret)])
        let error = await #expect(throws: ReplayError.self) { _ = try await sink.deliver(batch([line(1)])) }
        #expect(error?.code == .denied && error?.message.contains("answered \(code.status)") == true)
        #expect(error?.message.contains(Self.secret) == false && error?.message.contains("admin-token") == false)
    }

    @Test("the engine counts and sets aside what a receipt rejects, and continues with the rest")
    func engine() async throws {
        let sink = ScriptedSink { batch, _ in
            .judged([
                LineRefusal(index: 1, reason: SinkReason("bad")), LineRefusal(index: 3, reason: SinkReason("bad")),
            ])
        }
        var plan = ReplayPlan.small(events: 5)
        plan.rule = .skip
        let engine = ReplayEngine(plan, sink: sink, clock: JumpingClock(), brake: Brake()) { EventTime(seconds: 1) }
        var source = LinesSource(ReplayedLine.lines(10))
        try await engine.run(&source, state: .fresh(), file: nil)
        #expect(engine.tally.figures.result.kept == 6 && engine.tally.figures.refused == 4)
        plan.rule = .stop
        let stopped = ReplayEngine(plan, sink: sink, clock: JumpingClock(), brake: Brake()) { EventTime(seconds: 1) }
        var again = LinesSource(ReplayedLine.lines(10))
        let error = await #expect(throws: ReplayError.self) {
            try await stopped.run(&again, state: .fresh(), file: nil)
        }
        #expect(error?.code == .rejected)
    }

    @Test("a log's installs come with their secrets and its ledger; an install whose id was taken over does not")
    func logs() async throws {
        let folder = try LogFolder()
        let store = try folder.open()
        for _ in 1...3 { store.append() }
        try await store.close()
        let reader = try EventLogReader(path: folder.path)
        let generation = try #require(try reader.generations().first)
        let log = try #require(try SealedLog.all(reader).first)
        #expect(log.installID == "install-1" && log.secret == generation.secret && log.missing.isEmpty)
        let adopted = try LogFolder()
        let other = try adopted.open()
        let recorded = RecordedEvent(
            record: EventRecord(
                seq: 7, id: EventID(milliseconds: 1, counter: 0, random: 4), time: EventTime(seconds: 1),
                name: "launch",
                line: Array(line(7, of: "theirs").utf8)), installID: "theirs"
        ) { _, _ in [] }
        _ = try await other.replay([recorded])
        try await other.close()
        #expect(try SealedLog.all(EventLogReader(path: adopted.path)).isEmpty)
    }

    @Test("numbers of events that wait for consent are explained as held")
    func held() async throws {
        let folder = try LogFolder()
        let store = try folder.open()
        store.requireConsent(of: "ada")
        for user in ["bob", "ada", "ada", "bob"] { store.append(user: user) }
        try await store.close()
        let log = try #require(try SealedLog.all(EventLogReader(path: folder.path)).first)
        #expect(log.missing == [.init(2...3, .held)])
    }

    @Test("numbers are explained only if all of them are")
    func explanations() {
        let log = SealedLog(
            installID: "a", secret: Self.secret,
            missing: [.init(1...3, .dropped), .init(4...4, .erased), .init(8...9, .dropped)])
        #expect(log.explanation(of: 2...4) == [.init(2...3, .dropped), .init(4...4, .erased)])
        #expect(log.explanation(of: 4...5) == nil && log.explanation(of: 5...5) == nil)
        #expect(log.explanation(of: 8...8) == [.init(8...8, .dropped)])
        #expect(log.explained(before: 5) == [.init(1...3, .dropped), .init(4...4, .erased)])
        #expect(log.explained(before: 9) == [.init(8...8, .dropped)])
        #expect(log.explained(before: 1).isEmpty && log.explained(before: 8).isEmpty)
    }
}
