import CollectorFixtures
import CollectorIntake
import CollectorServer
import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation
import JSONLines
import Testing

@Suite("Hostile and clumsy clients", .timeLimit(.minutes(10)))
struct HostileTests {
    private let folder: CollectorFolder
    private let sender = SendingInstall("install-a")
    private static let track = Array(#"{"type":"track","event":"Order","userId":"u"}"#.utf8)

    init() throws { folder = try CollectorFolder() }

    @Test("413 for a number that is too high, in the range, the ledger, an import and an erasure")
    func highNumbers() async throws {
        let limit: Int64 = 9_007_194_959_773_696
        let (last, high) = (limit...limit, limit + 1...limit + 1)
        try await folder.serve { collector in
            let line = sender.line(1).replacing("\"seq\":1,", with: "\"seq\":\(high.lowerBound),")
            let row = BatchHeader.LedgerRow(reason: "runaway", seqs: high, count: 1)
            let answers = [
                try await collector.post(
                    SendingInstall.body([sender.header(1, high, missing: [.init(high, .held)])])),
                try await collector.post(
                    SendingInstall.body([sender.header(2, 1...1, missing: [.init(1...1, .held)], ledger: [row])])),
                try await collector.post(SendingInstall.body([line]), key: folder.adminToken),
                try await collector.call(
                    "POST", CollectorPath.erasures(ofInstall: "install-a"), key: folder.writeKey,
                    body: sender.erasure(3, of: "user-1", through: high.lowerBound)),
            ]
            for answer in answers {
                let problem = try answer.problem()
                #expect(problem.code == .tooLarge && problem.detail.contains("\(limit)"))
            }
            #expect(try await collector.get("/v1/installs/install-a").status == 404)
            let receipt = try await collector.post(
                SendingInstall.body([sender.header(4, last, missing: [.init(last, .held)])])
            ).receipt()
            #expect(receipt.highest == limit)
        }
    }

    /// Announces numbers of the app's Segment install, as any client could in earlier versions.
    private func announce(_ seqs: ClosedRange<Int64>, _ reason: MissingReason) async throws {
        let header = BatchHeader(
            id: Phone.id(1), installID: "segment:shop", secret: sender.secret, seqs: seqs,
            missing: [.init(seqs, reason)])
        let store = try BatchStore(folder: "\(folder.path)/store")
        _ = try await store.submit(Submission(.batch(header), receivedAt: .init(microseconds: 1), body: []))
        await store.close()
    }

    @Test("Installs whose ids differ after U+0000, which earlier versions stored, stay apart; paging advances")
    func nulls() async throws {
        let ids = ["victim", "victim\0x", "victim\0y"]
        let store = try BatchStore(folder: "\(folder.path)/store")
        for (index, id) in ids.enumerated() {
            _ = try await store.submit(
                Phone(id).batch(
                    1, 1...Int64(index + 2), missing: [.init(1...1, .dropped)],
                    ledger: [.init(reason: "a\0\(index)", seqs: 1...1, count: 1)],
                    at: EventTime.ofSystem().microseconds))
        }
        await store.close()
        try await folder.serve { collector in
            func found(_ path: String) async throws -> JSONValue {
                let answer = try await collector.get(path)
                #expect(answer.status == 200)
                return try JSONParser.parse(answer.body)
            }
            var (listed, after): ([String?], String) = ([], "")
            while listed.count < 9 {
                let page = try await found("/v1/installs?limit=1&after=\(after)")
                guard case .array(let rows)? = page["installs"], let row = rows.first else { break }
                listed.append(row["install_id"]?.stringValue)
                after = (page["next"]?.stringValue ?? "").replacing("\0", with: "%00")
            }
            #expect(listed == ids)
            for (index, id) in ids.enumerated() {
                let path = id.replacing("\0", with: "%00")
                let install = try await found("/v1/installs/\(path)")
                #expect(install["install_id"] == .string(id) && install["highest"] == .integer(Int64(index + 2)))
                guard case .array(let ledger)? = install["ledger"] else {
                    Issue.record("\(install)")
                    continue
                }
                #expect(ledger.map { $0["reason"] } == [.string("a\0\(index)")])
                #expect(try await collector.lines("install=\(path)").count == index + 1)
            }
            let isCounted = try await eventually {
                guard case .array(let rows)? = try await found("/v1/completeness")["rows"] else { return false }
                return Set(rows.compactMap { $0["name"]?.stringValue }) == Set(ids)
                    && Set(rows.compactMap { $0["total"]?["numbers"]?.integerValue }) == [2, 3, 4]
            }
            #expect(isCounted)
            #expect(try await collector.post(SendingInstall("victim\0z").body(1, 1...1)).problem().code == .malformed)
        }
    }

    @Test(
        "1,100 installs with the highest numbers crash no endpoint, and the sum of their numbers saturates",
        arguments: [MissingReason.held, .dropped, .deliveredEarlier])
    func sums(_ reason: MissingReason) async throws {
        let last = EventRecord.highestSeq
        let store = try BatchStore(folder: "\(folder.path)/store")
        _ = try await store.submit(Phone("named").batch(1, 1...1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...1100 {
                let header = BatchHeader(
                    id: Phone.id(number), installID: "x\(number)", secret: sender.secret, seqs: 1...last,
                    missing: [.init(1...last, reason)])
                group.addTask {
                    _ = try await store.submit(Submission(.batch(header), receivedAt: .ofSystem(), body: []))
                }
            }
            try await group.waitForAll()
        }
        await store.close()
        try await folder.serve { collector in
            let isCounted = try await eventually {
                let text = try await collector.get("/v1/completeness?by=app&days=90").text
                return text.contains(#""numbers":\#(last),"#)
            }
            #expect(isCounted)
            for path in [
                "/v1/completeness", "/v1/installs?limit=10000", "/v1/installs/x1", "/v1/installs/x1/hashes",
                "/v1/installs/x1/deliveries", "/v1/batches", "/v1/rejects", "/v1/lines", "/v1/arrivals", "/v1/findings",
                "/metrics", "/readyz", "/live",
            ] {
                #expect(try await collector.get(path).status == 200, "\(path)")
            }
        }
    }

    @Test("400 for numbers below 1 and ranges from behind", arguments: [(0, 1), (-1, 1), (1, -1), (2, 1), (0, 0)])
    func lowNumbers(_ first: Int, _ last: Int) async throws {
        let header = sender.header(
            1, 1...1, ledger: [.init(reason: "runaway", seqs: 1...1, count: 1)])
        let range = #""first":\#(first),"last":\#(last)"#
        try await folder.serve { collector in
            let body = header.replacing(#""first":1,"last":1"#, with: range)
            let problem = try await collector.post(Array(body.utf8)).problem()
            #expect(problem.code == .malformed)
            #expect(try await collector.get("/v1/installs").text == #"{"installs":[]}"#)
        }
    }

    private func track(_ collector: ServedCollector) async throws -> Int {
        try await collector.call("POST", "/v1/track", key: folder.writeKey, body: Self.track).status
    }

    @Test(
        "Messages keep their numbers after a client of an earlier version has announced numbers of their install",
        arguments: [
            (2...EventRecord.highestSeq, MissingReason.held), (2...EventRecord.highestSeq, .dropped),
            (EventRecord.highestSeq...EventRecord.highestSeq, .held),
            (EventRecord.highestSeq...EventRecord.highestSeq, .erased),
        ])
    func claimed(_ seqs: ClosedRange<Int64>, _ reason: MissingReason) async throws {
        try await announce(seqs, reason)
        for _ in 0..<3 {
            try await folder.serve { collector in
                let status = try await track(collector)
                #expect(status == 200)
                for path in [
                    "/v1/installs", "/v1/completeness", "/v1/completeness?by=app", "/v1/installs/segment%3Ashop",
                ] {
                    #expect(try await collector.get(path).status == 200)
                }
            }
        }
        #expect(try await folder.storedLines()["segment:shop"]?.keys.sorted() == [1, 2, 3])
    }

    @Test("Installs of other systems' clients accept no batch and no erasure; the admin can import their lines")
    func namespace() async throws {
        let mappings = folder.temporary.path("mappings")
        try FileManager.default.createDirectory(atPath: mappings, withIntermediateDirectories: true)
        let mapping = String(decoding: ClientMappings.builtIn(.segment), as: UTF8.self)
            .replacing(#""install_id": "segment""#, with: #""install_id": "web""#)
        try Data(mapping.utf8).write(to: URL(fileURLWithPath: "\(mappings)/segment.json"))
        let installs = ["web:shop", "web:other", "web:", "segment:shop", "cloudevents:a", "otlp:a", "snowplow:\u{301}"]
        try await folder.serve({ $0.mappings = mappings }) { collector in
            for install in installs {
                let sender = SendingInstall(install)
                let problem = try await collector.post(sender.body(1, 1...1)).problem()
                #expect(problem.code == .installTaken && problem.detail.contains(":'"), "\(install)")
                let path = CollectorPath.erasures(ofInstall: "web%3Ashop")
                let erasure = try await collector.call(
                    "POST", path, key: folder.writeKey, body: sender.erasure(1, of: "user-1"))
                #expect(try erasure.problem().code == .wrongSecret)
            }
            #expect(try await track(collector) == 200)
            let imported = SendingInstall("segment:shop").line(7)
            #expect(
                try await collector.post(SendingInstall.body([imported]), key: folder.adminToken).receipt().stored
                    == [7...7])
            _ = try await collector.post(SendingInstall("webshop").body(1, 1...1)).receipt()
        }
        let stored = try await folder.storedLines()
        #expect(stored.mapValues { $0.keys.sorted() } == ["web:shop": [1], "segment:shop": [7], "webshop": [1]])
    }

    @Test("Messages without a next number get 5xx, and the batches in their groups are stored")
    func noNextNumber() async throws {
        try await announce(1...EventRecord.highestSeq, .erased)
        let bodies = (1...30).map { SendingInstall("install-\($0)").body(1, 1...3) }
        try await folder.serve { collector in
            let statuses = try await withThrowingTaskGroup(of: (isBatch: Bool, status: Int).self) { group in
                for body in bodies {
                    group.addTask { (true, try await collector.post(body).status) }
                    group.addTask {
                        (false, try await track(collector))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter(\.isBatch).map(\.status) == Array(repeating: 200, count: 30))
            #expect(statuses.filter { !$0.isBatch }.map(\.status) == Array(repeating: 500, count: 30))
            #expect(try await collector.get("/readyz").status == 200)
        }
    }
}
