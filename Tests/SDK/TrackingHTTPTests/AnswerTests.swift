import DeliveryProtocol
import EventLog
import JSONLines
import LoopbackServer
import Testing
import TrackingHTTP
import TrackingTesting

/// The effect of each response on the log, with the real engine.
@Suite("Responses", .timeLimit(.minutes(10)))
struct AnswerTests {
    let phone: Phone

    init() throws { phone = try Phone() }

    @Test("a receipt with all numbers advances the cursor, and the next batch names that receipt")
    func delivered() async throws {
        let collector = try CollectorDouble()
        let app = try phone.start(collector.url)
        app.send(3)
        await app.flush()
        app.send(2)
        await app.flush()
        let batches = try collector.batches()
        #expect(batches.map(\.seqs) == [[1, 2, 3], [4, 5]])
        #expect(batches.map(\.header.seqs) == [1...3, 4...5])
        #expect(batches.map(\.header.receipt) == [nil, ReceiptName(collector: "double", number: 1)])
        #expect(try await app.acknowledged() == 5)
        #expect(phone.reports == [])
        #expect(collector.errors == [])
    }

    @Test(
        "rejected events become dead letters with reason and location; duplicate and erased events count as delivered")
    func judged() async throws {
        let collector = try CollectorDouble([
            .receipt { batch in
                var receipt = batch.receipt(
                    stored: [1...1],
                    rejected: [
                        .init(seq: 3, id: nil, line: 4, code: "schema", message: "too long", instancePath: "/query"),
                        .init(seq: nil, id: nil, line: 6, code: "syntax", message: "cut off"),
                    ])
                (receipt.duplicates, receipt.erased) = ([2...2], [4...4])
                return receipt
            }
        ])
        let app = try phone.start(collector.url)
        app.send(5)
        await app.flush()
        let letters = try await app.deadLetters()
        #expect(letters.map(\.seq) == [3, 5])
        #expect(letters.map(\.reason) == ["schema: too long", "syntax: cut off"])
        #expect(letters.map(\.location) == ["/query", nil])
        #expect(letters.map(\.line) == [try collector.batches()[0].lines[2], try collector.batches()[0].lines[4]])
        #expect(phone.reports == ["refused 3...3: schema: too long (at /query)", "refused 5...5: syntax: cut off"])
        #expect(try await app.acknowledged() == 5)
        let ledger = try await app.log.ledger().filter { $0.reason == .refused }
        #expect(ledger.map(\.count) == [2])
    }

    @Test("only numbers that a receipt omits are redelivered")
    func partlyNamed() async throws {
        let collector = try CollectorDouble([.receipt { $0.receipt(stored: [1...2, 5...5], missing: [3...4]) }])
        let app = try phone.start(collector.url)
        app.send(5)
        await app.flush()
        await app.flush()
        #expect(try collector.batches().map(\.seqs) == [[1, 2, 3, 4, 5], [3, 4]])
        #expect(phone.reports == ["delayed: the receipt does not list event 3"])
    }

    @Test(
        "a 200 without a receipt for the batch delivers nothing",
        arguments: [
            CollectorDouble.Reply.status(200),
            .status(200, [("Content-Type", "text/html")], Array("<html>Welcome to the hotel</html>".utf8)),
            .status(200, [], Array("{\"ok\":true}".utf8)),
            .receipt { $0.receipt(stored: []) },
            .receipt { $0.receipt(stored: [100...200]) },
            .receipt { batch in
                var receipt = batch.receipt()
                receipt.batchID = String(repeating: "0", count: 32)
                return receipt
            },
            .receipt { batch in
                var receipt = batch.receipt()
                receipt.installID = "another"
                return receipt
            },
            .status(202), .status(204),
            .making { .status(202, [], try $0.receipt().json()) },
        ])
    func noReceipt(reply: CollectorDouble.Reply) async throws {
        let collector = try CollectorDouble([reply])
        let app = try phone.start(collector.url)
        app.send(3)
        await app.flush()
        #expect(try await app.acknowledged() == 0)
        #expect(phone.reports.count == 1 && phone.reports[0].hasPrefix("delayed: \(collector.url) answered 20"))
        await app.flush()
        #expect(try collector.batches().map(\.seqs) == [[1, 2, 3], [1, 2, 3]])
        #expect(collector.seqs(of: "install-1") == [1, 2, 3])
        #expect(try await app.acknowledged() == 3)
    }

    @Test(
        "a wrong key halts the sink, is reported once, and keeps everything; a single event is tried after an hour",
        arguments: [DeliveryProblem.Code.unauthorized, .forbidden])
    func halts(code: DeliveryProblem.Code) async throws {
        let problem = CollectorDouble.Reply.problem(DeliveryProblem(code, "no"))
        let collector = try CollectorDouble([problem, problem])
        let app = try phone.start(collector.url)
        app.send(3)
        await app.flush()
        phone.clock.advance(by: .seconds(3599))
        app.send(3)
        await app.flush()
        #expect(collector.requests.count == 1)
        #expect(try await app.deadLetters() == [])
        #expect(phone.reports.count == 1 && phone.reports[0].hasPrefix("halted: \(collector.url) answered 40"))
        phone.clock.advance(by: .seconds(1))
        await app.flush()
        #expect(try await app.acknowledged() == 0)
        phone.clock.advance(by: .seconds(3600))
        await app.flush()
        #expect(try collector.batches().map(\.seqs) == [[1, 2, 3], [1], [1], [2, 3, 4, 5, 6]])
        #expect(phone.reports.count == 1)
    }

    @Test("another key or address than the halted one's tries immediately")
    func otherTarget() async throws {
        let collector = try CollectorDouble([.problem(DeliveryProblem(.unauthorized, "no"))])
        var app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        app = try phone.start(collector.url)
        await app.flush()
        #expect(collector.requests.count == 1)
        #expect(phone.reports.map { $0.prefix(6) } == ["halted", "halted"])
        app = try phone.start(collector.url + "?again")
        await app.flush()
        #expect(try await app.acknowledged() == 2)
    }

    @Test("401, 403 and 410 of something that is not a collector are retried", arguments: [401, 403, 410])
    func firewall(status: Int) async throws {
        let page = Array("<html>Access denied</html>".utf8)
        let collector = try CollectorDouble([.status(status, [("Content-Type", "text/html")], page)])
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        #expect(phone.reports.count == 1 && phone.reports[0].hasPrefix("delayed: \(collector.url) answered \(status)"))
        await app.flush()
        #expect(try await app.acknowledged() == 2)
    }

    @Test(
        "a body that is changed on its way is retried five times, then sent without compression",
        arguments: [true, false])
    func changed(helps: Bool) async throws {
        let changed = CollectorDouble.Reply.making { batch in
            batch.isCompressed || !helps
                ? .status(400, [], try DeliveryProblem(.digestMismatch, "differs").json())
                : .status(200, [], try batch.receipt().json())
        }
        let collector = try CollectorDouble(Array(repeating: changed, count: 7))
        let app = try phone.start(collector.url)
        app.send(100)
        for _ in 1...6 { await app.flush() }
        #expect(try collector.batches().map(\.isCompressed) == [true, true, true, true, true, false])
        #expect(try await app.acknowledged() == (helps ? 100 : 0))
        #expect(phone.reports.map { $0.prefix(6) } == Array(repeating: "delaye", count: 5) + (helps ? [] : ["halted"]))
        app.send(100)
        phone.clock.advance(by: .seconds(3600))
        await app.flush()
        #expect(try collector.batches().map(\.isCompressed).last == false)
    }

    @Test(
        "a misconfigured server is retried, and halts the sink the fifth time; no event is rejected",
        arguments: [400, 402, 404, 405, 406, 411, 414, 415, 421, 426, 431, 451, 300, 301, 302, 303, 304])
    func misconfigured(status: Int) async throws {
        let collector = try CollectorDouble(Array(repeating: .status(status, [("Location", "/other")]), count: 5))
        let app = try phone.start(collector.url)
        app.send(2)
        for _ in 1...5 { await app.flush() }
        #expect(phone.reports.map { $0.prefix(7) } == ["delayed", "delayed", "delayed", "delayed", "halted:"])
        #expect(phone.reports.allSatisfy { $0.contains("\(collector.url) answered \(status)") })
        #expect(try await app.deadLetters() == [])
        phone.clock.advance(by: .seconds(3600))
        await app.flush()
        #expect(try collector.batches().map(\.seqs).suffix(2) == [[1], [2]])
        #expect(Set(try collector.batches().prefix(5).map(\.header.id)).count == 1)
        #expect(try collector.requests.map(\.line) == Array(repeating: "POST /v1/events HTTP/1.1", count: 7))
    }

    @Test("any other response resets the count of misconfigured responses")
    func misconfiguredAtTimes() async throws {
        let collector = try CollectorDouble(
            Array(repeating: .status(404), count: 4) + [.status(503)] + Array(repeating: .status(404), count: 4))
        let app = try phone.start(collector.url)
        app.send(1)
        for _ in 1...9 { await app.flush() }
        #expect(phone.reports.allSatisfy { $0.hasPrefix("delayed") })
        await app.flush()
        #expect(collector.seqs(of: "install-1") == [1])
    }

    @Test(
        "a busy or broken server gets the same batch again",
        arguments: [408, 425, 429, 500, 502, 503, 504, 599])
    func retried(status: Int) async throws {
        let collector = try CollectorDouble([.status(status)])
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        #expect(phone.reports == ["delayed: \(collector.url) answered \(status)"])
        #expect(try await app.acknowledged() == 0)
        await app.flush()
        let batches = try collector.batches()
        #expect(batches[0].header.id == batches[1].header.id)
        #expect(try await app.acknowledged() == 2)
    }

    @Test("422 voids the batch: the same events are resent under another id")
    func void() async throws {
        let collector = try CollectorDouble([.problem(DeliveryProblem(.keyReused, "used"))])
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        let batches = try collector.batches()
        #expect(batches.map(\.seqs) == [[1, 2], [1, 2]])
        #expect(batches[0].header.id != batches[1].header.id)
        #expect(batches[0].lines == batches[1].lines)
        #expect(phone.reports == ["delayed: \(collector.url) answered 422 key-reused: used"])
    }

    @Test("413 halves a batch until the oversized event is alone and becomes a dead letter; the others arrive")
    func tooLarge() async throws {
        let isPoison: @Sendable (ReceivedBatch) -> Bool = { $0.seqs.contains(6) }
        let reply = CollectorDouble.Reply.making { batch in
            isPoison(batch)
                ? .status(413, [], try DeliveryProblem(.tooLarge, "at most 10 bytes").json())
                : .status(200, [], try batch.receipt().json())
        }
        let collector = try CollectorDouble(Array(repeating: reply, count: 30))
        let app = try phone.start(collector.url)
        app.send(8)
        await app.flush()
        #expect(try await app.acknowledged() == 8)
        let letters = try await app.deadLetters()
        #expect(letters.map(\.seq) == [6])
        #expect(letters.map(\.reason) == ["\(collector.url) answered 413 too-large: at most 10 bytes"])
        let batches = try collector.batches()
        #expect(letters.map(\.line) == batches.first.map { [$0.lines[5]] })
        #expect(batches.first?.seqs == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(batches.filter { !isPoison($0) }.flatMap(\.seqs) == [1, 2, 3, 4, 5, 7, 8])
        #expect(Set(batches.map(\.header.id)).count == batches.count)
    }

    @Test("413 of a proxy to a single small event keeps the event")
    func tooLargeProxy() async throws {
        let collector = try CollectorDouble([.status(413)])
        let app = try phone.start(collector.url)
        app.send(1)
        await app.flush()
        #expect(try await app.deadLetters() == [])
        await app.flush()
        #expect(collector.seqs(of: "install-1") == [1])
    }

    @Test("a response that is too long is a failed attempt: the same batch is sent again")
    func longAnswer() async throws {
        let fields = (1...300).map { ("X-\($0)", "x") }
        let collector = try CollectorDouble([
            .status(200, [], [UInt8](repeating: 32, count: 2 << 20)), .status(200, fields),
        ])
        let app = try phone.start(collector.url)
        app.send(3)
        for _ in 1...3 { await app.flush() }
        let batches = try collector.batches()
        #expect(batches.map(\.seqs) == [[1, 2, 3], [1, 2, 3], [1, 2, 3]])
        #expect(Set(batches.map(\.header.id)).count == 1)
        #expect(phone.reports.map { $0.prefix(7) } == ["delayed", "delayed"])
        #expect(try await app.acknowledged() == 3)
    }

    @Test("413 with Retry-After is temporary: the batch is not halved")
    func tooLargeForNow() async throws {
        let collector = try CollectorDouble([.status(413, [("Retry-After", "5")])])
        let app = try phone.start(collector.url)
        app.send(4)
        await app.flush()
        phone.clock.advance(by: .seconds(5))
        await app.flush()
        #expect(try collector.batches().map(\.seqs) == [[1, 2, 3, 4], [1, 2, 3, 4]])
    }

    @Test("a fork starts a new generation; events that the collector has with the same bytes are not resent")
    func fork() async throws {
        let collector = try CollectorDouble([
            .problem(DeliveryProblem(.fork, "number 2 has other bytes", acknowledged: [1...1, 3...3], forked: [2...2]))
        ])
        let app = try phone.start(collector.url)
        app.send(4)
        await app.flush()
        app.send(1)
        await app.flush()
        let batches = try collector.batches()
        #expect(batches.map(\.header.installID) == ["install-1", "install-2", "install-2"])
        #expect(batches.map(\.seqs) == [[1, 2, 3, 4], [1, 2], [3]])
        #expect(batches[0].header.secret != batches[1].header.secret)
        let ids = try batches.map { try $0.lines.map { try JSONParser.parse($0)["id"] } }
        #expect(ids[1] == [ids[0][1], ids[0][3]])
        #expect(collector.installs == ["install-2"])
        #expect(
            phone.reports == [
                "delayed: \(collector.url) answered 409 fork: number 2 has other bytes; the log continues as a new install"
            ])
    }

    @Test("an install with another secret starts a new generation with all events, whatever the response acknowledges")
    func installTaken() async throws {
        let taken = DeliveryProblem(.installTaken, "another secret")
        let collector = try CollectorDouble([
            .making { _ in
                let text = try String(decoding: taken.json(), as: UTF8.self)
                return .status(409, [], Array((text.dropLast() + #","acknowledged":[[1,2]]}"#).utf8))
            }
        ])
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        #expect(try collector.batches().map(\.seqs) == [[1, 2], [1, 2]])
        #expect(collector.installs == ["install-2"])
    }

    @Test("a 409 of another kind means a request in progress: the same batch is retried")
    func conflict() async throws {
        let collector = try CollectorDouble([.status(409, [], Array("{\"type\":\"about:blank\"}".utf8))])
        let app = try phone.start(collector.url)
        app.send(2)
        await app.flush()
        await app.flush()
        let batches = try collector.batches()
        #expect(batches.map(\.header.installID) == ["install-1", "install-1"])
        #expect(batches[0].header.id == batches[1].header.id)
    }

    @Test("numbers that the collector requests again are redelivered once")
    func missing() async throws {
        let collector = try CollectorDouble([
            .collect, .receipt { $0.receipt(missing: [2...3, 90...99], number: 2) },
        ])
        let app = try phone.start(collector.url)
        app.send(4)
        await app.flush()
        app.send(1)
        await app.flush()
        let asksAgain = CollectorDouble.Reply.receipt { $0.receipt(missing: [2...3], number: 3) }
        collector.script([asksAgain, asksAgain])
        for _ in 1...3 {
            app.send(1)
            await app.flush()
        }
        #expect(try collector.batches().map(\.seqs) == [[1, 2, 3, 4], [5], [2, 3, 4, 5, 6], [7], [8]])
        #expect(phone.reports == ["rewound to 2: \(collector.url) requests it again"])
    }

    @Test("after a fork, the collector requests numbers of the new install")
    func missingAfterFork() async throws {
        let collector = try CollectorDouble([
            .problem(DeliveryProblem(.fork, "other bytes", acknowledged: [1...3], forked: [4...4])), .collect, .collect,
            .receipt { $0.receipt(missing: [2...2], number: 3) },
        ])
        let app = try phone.start(collector.url)
        app.send(4)
        await app.flush()
        for _ in 1...3 {
            app.send(1)
            await app.flush()
        }
        let batches = try collector.batches()
        #expect(batches.map(\.seqs) == [[1, 2, 3, 4], [1], [2], [3], [2, 3, 4]])
        #expect(batches.dropFirst().allSatisfy { $0.header.installID == "install-2" })
    }
}
