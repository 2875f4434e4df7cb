import CommandRunner
import DeliveryProtocol
import EventLog
import EventModel
import Foundation
import JSONLines
import Testing

@Suite("trackctl reconcile", .timeLimit(.minutes(5)))
struct TrackctlReconcileTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine].launches(1...20)

    init() throws { folder = try TrackctlFolder() }

    private func reconcile(_ log: String, with collector: StoringCollector, _ options: String...) async throws
        -> CommandResult
    {
        try await trackctl(
            ["reconcile", log, "--collector", collector.url + "/v1/events"] + options,
            environment: ["TRACKING_COLLECTOR_TOKEN": StoringCollector.token])
    }

    /// A log whose consumer has received events up to a number.
    private func log(deliveredThrough seq: Int64, to consumer: String = "http") async throws -> String {
        let store = try folder.openLog("events.sqlite", install: "install-a")
        folder.append(lines, to: store)
        try await store.acknowledge(ConsumerCursor(consumer: consumer, acknowledged: seq), refused: nil)
        try await store.close()
        return folder("events.sqlite")
    }

    /// Sets the collector's answer for the install.
    private func set(
        _ collector: StoringCollector, _ numbers: [(ClosedRange<Int64>, NumberFate)], runs: [ClosedRange<Int64>],
        changing changed: Int64? = nil
    ) {
        let summary = InstallSummary(
            installID: "install-a", firstSeen: EventTime(seconds: 1), lastSeen: EventTime(seconds: 2), highest: 18,
            numbers: numbers.map { .init(seqs: $0.0, fate: $0.1) }, ledger: [], forks: [])
        collector.set("/v1/installs/install-a", JSONWriter.text(summary.write))
        let hashes = runs.map { seqs in
            RangeHash(
                seqs: seqs,
                lines: seqs.map { Array((lines[Int($0) - 1].text + ($0 == changed ? " " : "")).utf8) })
        }
        let text = hashes.map { JSONWriter.text($0.write) }.joined(separator: ",")
        collector.set("/v1/installs/install-a/hashes", "{\"hashes\":[\(text)]}")
    }

    @Test("A collector that has what was delivered is sound; undelivered events are waiting")
    func sound() async throws {
        let log = try await log(deliveredThrough: 18)
        let collector = try StoringCollector([])
        set(collector, [(1...16, .stored), (17...17, .refused), (18...18, .erased)], runs: [1...10, 11...16])
        let result = try await reconcile(log, with: collector)
        #expect(result.exitCode == 0 && result.stderr.isEmpty)
        #expect(
            result.text == """
                \(log), delivered by http to \(collector.url)
                install    numbered  stored  explained  held  waiting  forked  unexplained
                install-a        20      16          2     0        2       0            0
                install-a: explained: 1 erased, 1 refused
                install-a: hashes: 2 of 2 runs equal, 0 not compared
                nothing is lost: each number is stored, explained, held, or still on the device

                """)
        #expect(
            collector.requests.map(\.path) == ["/v1/installs/install-a/hashes", "/v1/installs/install-a"])
        #expect(collector.requests.allSatisfy { $0.authorization == "Bearer admin-token" })
    }

    @Test("Lost numbers and different lines are named, and end with 1")
    func findings() async throws {
        let log = try await log(deliveredThrough: 18)
        let collector = try StoringCollector([])
        set(
            collector, [(1...6, .stored), (9...11, .stored), (13...18, .stored)], runs: [1...6, 9...11, 13...18],
            changing: 10)
        let result = try await reconcile(log, with: collector)
        #expect(result.exitCode == 1 && result.stderr.isEmpty)
        #expect(result.text.contains("install-a: unexplained: 7–8, 12\n"))
        #expect(result.text.contains("install-a: different bytes at the collector: 9–11\n"))
        #expect(result.text.contains("hashes: 2 of 3 runs equal"))
        let json = try JSONParser.parse(Array(try await reconcile(log, with: collector, "--json").text.utf8))
        #expect(json["sound"] == false && json["consumer"] == "http")
        guard case .array(let installs)? = json["installs"], let install = installs.first else {
            Issue.record("no install in \(json)")
            return
        }
        #expect(install["numbered"] == 20 && install["stored"] == 15 && install["waiting"] == 2)
        #expect(install["unexplained"] == [[7, 8], [12, 12]])
        #expect(install["hashes"] == ["equal": 2, "not_compared": 0, "different": [[9, 11]]])
    }

    @Test("Events that are erased upstream and still in a folder are listed, with the command that removes them")
    func erasedUpstream() async throws {
        let log = try await log(deliveredThrough: 18)
        let collector = try StoringCollector([])
        set(collector, [(1...6, .stored), (7...9, .erased), (10...18, .stored)], runs: [1...6, 10...18])
        // A folder with a file, and a DuckDB that has all lines but the 8th.
        let hours = "\(folder("a folder"))/events/dt=2015-01-01/hour=00"
        try FileManager.default.createDirectory(atPath: hours, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(hours)/0-1.jsonl.zst"))
        let rows = (1...18).filter { $0 != 8 }.map { seq in
            "0,\(seq),\(RangeHash(seqs: 1...1, lines: [Array(lines[seq - 1].text.utf8)]).hash),false\n"
        }
        let program = try folder.file("duckdb", "#!/bin/sh\ncat >/dev/null\ncat <<END\n\(rows.joined())END\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let options = ["--warehouse", "duckdb:\(folder("a folder"))", "--duckdb", program, "--wait", "0"]
        func reconcile(_ more: [String]) async throws -> CommandResult {
            try await trackctl(
                ["reconcile", log, "--collector", collector.url] + options + more,
                environment: ["TRACKING_COLLECTOR_TOKEN": StoringCollector.token])
        }
        let result = try await reconcile([])
        let command = "loader erase --user-file FILE --folder '\(folder("a folder"))'"
        #expect(result.exitCode == 1 && result.stderr.isEmpty)
        #expect(
            result.text.hasSuffix(
                """

                stage      install    lines  missing  doubled  different  erased upstream  of forks  equal runs
                warehouse  install-a     17        0        0          0                2         0           2
                install-a: erased upstream, still in the warehouse: 7, 9 (\(folder("a folder")))
                to erase them: \(command)
                nothing is lost, but erased events remain: run loader erase

                """))
        let json = try JSONParser.parse(Array(try await reconcile(["--json"]).text.utf8))
        #expect(json["sound"] == false && json["erase_commands"] == [.string(command)])
    }

    @Test("A collector that does not know the install has lost everything delivered")
    func unknown() async throws {
        let log = try await log(deliveredThrough: 3)
        let result = try await reconcile(log, with: try StoringCollector([]))
        #expect(result.exitCode == 1)
        #expect(result.text.contains("install-a: unknown to the collector\n"))
        #expect(result.text.contains("install-a: unexplained: 1–3\n"))
    }

    @Test(
        "A busy collector is asked again; a rejected token, another consumer and another file end the run"
    )
    func failures() async throws {
        let log = try await log(deliveredThrough: 0, to: "collector")
        let busy = StoringCollector.Reply.problem(DeliveryProblem(.overQuota, "slow down"), [("Retry-After", "1")])
        let collector = try StoringCollector([], script: [busy])
        let named = try await reconcile(log, with: collector, "--consumer", "collector")
        #expect(named.exitCode == 0 && named.text.contains("install-a        20       0"))
        #expect(collector.requests.count == 3)
        let other = try await reconcile(log, with: collector)
        #expect(other.exitCode == 64)
        #expect(
            other.stderr == "trackctl: no consumer http in \(log): pass the sink's name with --consumer (collector)\n")
        let rejected = try await trackctl(
            ["reconcile", log, "--collector", collector.url, "--consumer", "collector"],
            environment: ["TRACKING_COLLECTOR_TOKEN": "other"])
        #expect(rejected.exitCode == 64 && rejected.stderr.contains("check the admin token"))
        // The others are examined after an invalid input.
        let text = try folder.file("a.jsonl", lines.text)
        let both = try await trackctl(
            ["reconcile", text, log, "--collector", collector.url, "--consumer", "collector"],
            environment: ["TRACKING_COLLECTOR_TOKEN": StoringCollector.token])
        #expect(both.exitCode == 65 && both.stderr.contains(text) && both.text.contains("install-a        20"))
    }
}
