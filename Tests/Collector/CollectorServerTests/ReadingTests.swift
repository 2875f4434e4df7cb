import CollectorFixtures
import CollectorServer
import DeliveryProtocol
import Foundation
import JSONLines
import Primitives
import Testing

@Suite("Reading over HTTP", .timeLimit(.minutes(10)))
struct ReadingTests {
    private let folder: CollectorFolder
    private let first = SendingInstall("install-a") { $0 % 2 == 0 ? "even" : "odd user" }
    private let second = SendingInstall("in/stall b?", user: { _ in "even" })

    init() throws { folder = try CollectorFolder() }

    private func fill(_ collector: ServedCollector) async throws {
        _ = try await collector.post(first.body(1, 1...40)).receipt()
        _ = try await collector.post(second.body(2, 1...10)).receipt()
        let view = first.line(41).replacing("search/1-0-0", with: "page-view/1-0-0").replacing(
            #"{"name":"search","value":{"query":"swift","page":1}}"#,
            with: #"{"name":"page-view","value":{"page":"a"}}"#)
        let unknown = first.line(42).replacing("search", with: "checkout")
        _ = try await collector.post(
            SendingInstall.body([first.header(3, 41...44), view, unknown, "bad", first.line(44)])
        ).receipt()
    }

    private func lines(_ install: SendingInstall, _ seqs: ClosedRange<Int64>) -> [String] {
        seqs.map { install.line($0) }
    }

    @Test(
        "Pages of any length return exactly the stored lines, in the order of storage",
        arguments: [1, 7, 1000])
    func paging(limit: Int) async throws {
        try await folder.serve { collector in
            #expect(try await collector.lines(limit: limit) == [])
            try await fill(collector)
            let all = try await collector.lines(limit: limit)
            #expect(all.count == 53)
            #expect(Array(all[..<50]) == lines(first, 1...40) + lines(second, 1...10))
            #expect(all[52] == first.line(44))
            // After the last cursor there are no lines until more are stored.
            let end = try await collector.get("/v1/lines")
            let cursor = try #require(end[LinesQuery.cursorField])
            let nothing = try await collector.get("/v1/lines?after=\(cursor)")
            #expect(nothing.body == [] && nothing[LinesQuery.cursorField] == cursor)
            #expect(nothing[LinesQuery.moreField] == "false")
            _ = try await collector.post(second.body(4, 11...12)).receipt()
            #expect(try await collector.get("/v1/lines?after=\(cursor)").lines == lines(second, 11...12))
        }
    }

    @Test("A page ends at its byte limit, and the next page continues")
    func bytes() async throws {
        try await folder.serve { collector in
            try await fill(collector)
            var (found, after) = ([String](), "")
            for _ in 0..<100 {
                let page = try await collector.get("/v1/lines?bytes=2000&after=\(after)")
                #expect(page.body.count < 2000 + 500)
                found += page.lines
                after = try #require(page[LinesQuery.cursorField])
                if page[LinesQuery.moreField] == "false" { break }
            }
            #expect(found == (try await collector.lines()))
        }
    }

    @Test("Filters by install, user, schema and time, alone and together")
    func filters() async throws {
        let other = "in%2Fstall%20b%3F"
        try await folder.serve { collector in
            try await fill(collector)
            #expect(try await collector.lines("install=\(other)") == lines(second, 1...10))
            #expect(try await collector.lines("install=unknown") == [])
            #expect(try await collector.lines("user=odd%20user").count == 21)
            #expect(try await collector.lines("user=even&install=install-a", limit: 3).count == 22)
            #expect(try await collector.lines("user=eve") == [])
            #expect(try await collector.lines("schema=page-view").count == 1)
            #expect(try await collector.lines("schema=page-view/1-0-0").count == 1)
            #expect(try await collector.lines("schema=checkout&install=install-a").count == 1)
            #expect(try await collector.lines("schema=search/1-0-0&install=install-a").count == 41)
            #expect(
                try await collector.lines("install=install-a&from=1700000003&to=1700000005") == lines(first, 3...5))
            #expect(try await collector.lines("from=1700000043") == [first.line(44)])
            #expect(
                try await collector.lines("to=1700000001&install=\(other)", limit: 1) == lines(second, 1...1))
        }
    }

    @Test("Invalid parameters are rejected by name")
    func parameters() async throws {
        try await folder.serve { collector in
            for query in [
                "limit=0", "limit=10001", "limit=x", "limit=1&limit=2", "bytes=0", "after=x", "after=1",
                "after=-1.1",
                "after=1.2.3", "from=x", "to=1.1234567", "from=2&to=1", "envelope=all", "page=1",
            ] {
                let problem = try await collector.get("/v1/lines?\(query)").problem()
                #expect(problem.code == .malformed, "\(query)")
                if query != "from=2&to=1" {
                    #expect(problem.detail.contains(query.split(separator: "=")[0]), "\(query): \(problem.detail)")
                }
            }
            #expect(try await collector.get("/v1/installs?user=x").problem().code == .malformed)
            #expect(try await collector.get("/v1/rejects?limit=1001").problem().code == .malformed)
        }
    }

    @Test("The received envelope has the time of receipt, the clock error and the validation")
    func envelope() async throws {
        let clock = TestClock()
        try await folder.serve({ $0.now = { clock.now } }) { collector in
            _ = try await collector.post(
                SendingInstall.body([first.header(1, 1...1), first.line(1).replacing(#"{"v":1"#, with: #"{"v":2"#)]
                ),
                [("Tracking-Sent-At", "1799999990.5")]
            ).receipt()
            let line = try #require(try await collector.lines("envelope=received").first)
            let json = try JSONParser.parse(Array(line.utf8))
            #expect(json["received_at"]?.integerValue == 1_800_000_000)
            #expect(line.contains(#""sent_at":1799999990.5,"skew":9.5,"corrected_time":1700000010.5,"#))
            #expect(line.contains(#""validated":false,"line":{"v":2,"#))
            #expect(json["cursor"]?.stringValue == "1.1")
        }
    }

    @Test("Installs are listed with their completeness, page by page; an install has ranges and hashes")
    func installs() async throws {
        try await folder.serve { collector in
            try await fill(collector)
            let gap = SendingInstall("zone")
            _ = try await collector.post(gap.body(9, 5...6)).receipt()
            var (found, after): ([String], String?) = ([], "")
            while let next = after {
                let page = try #require(
                    try await collector.get("/v1/installs?limit=1&after=\(next)").json)
                guard case .array(let installs)? = page["installs"] else { break }
                found += installs.compactMap { install in
                    let numbers = ["highest", "stored", "explained", "missing"].map {
                        install[$0]?.integerValue ?? -1
                    }
                    return install["install_id"]?.stringValue.map { "\($0) \(numbers)" }
                }
                after = page["next"]?.stringValue?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            }
            #expect(
                found == ["in/stall b? [10, 10, 0, 0]", "install-a [44, 43, 1, 0]", "zone [6, 2, 0, 4]"])
            let one = try #require(try await collector.get("/v1/installs/in%2Fstall%20b%3F").json)
            let summary = try InstallSummary(one)
            #expect(summary.installID == second.id && summary.ranges(.stored) == [1...10])
            #expect(
                try InstallSummary(#require(try await collector.get("/v1/installs/zone").json)).missing == [1...4])

            let hashes = try #require(try await collector.get("/v1/installs/in%2Fstall%20b%3F/hashes").json)
            let expected = lines(second, 1...10).reduce(UInt64(0)) { sum, line in
                sum
                    &+ SHA256.bytes(of: Array(line.utf8))[..<8].enumerated().reduce(0) {
                        $0 | UInt64($1.element) << (8 * $1.offset)
                    }
            }
            guard case .array(let ranges)? = hashes["hashes"] else {
                Issue.record("no hashes: \(hashes)")
                return
            }
            #expect(try ranges.map { try RangeHash($0) } == [RangeHash(seqs: 1...10, hash: expected)])
        }
    }

    @Test("Batches and rejected lines, page by page")
    func batches() async throws {
        try await folder.serve { collector in
            try await fill(collector)
            let page = try #require(try await collector.get("/v1/batches?limit=2").json)
            guard case .array(let batches)? = page["batches"] else {
                Issue.record("no batches: \(page)")
                return
            }
            #expect(batches.map { $0["batch"]?.stringValue } == [Phone.id(1), Phone.id(2)])
            #expect(batches.map { $0["lines"]?.integerValue } == [40, 10])
            #expect(page["next"]?.integerValue == 2)
            let rest = try await collector.get("/v1/batches?after=2&install=install-a").text
            #expect(rest.contains(Phone.id(3)) && !rest.contains(Phone.id(1)) && !rest.contains(#""next""#))

            let rejects = try await collector.get("/v1/rejects?install=install-a").lines
            #expect(rejects.count == 1)
            let reject = try JSONParser.parse(Array(rejects[0].utf8))
            #expect(reject["bytes"]?.stringValue == Data("bad".utf8).base64EncodedString())
            #expect(try await collector.get("/v1/rejects?after=3").lines == [])
            #expect(try await collector.get("/v1/rejects?install=zone").lines == [])
        }
    }
}
