import CommandRunner
import Foundation
import Testing

@Suite("trackctl dump --partition")
struct TrackctlPartitionTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    /// 2018-09-12T11:54:07Z, two hours of that day, and the next.
    private var lines: [PlannedLine] {
        [
            .search("flux", time: "1536753247.5"), .search("a/b", page: "2", time: "1536756847"),
            PlannedLine(time: "1536753248"), PlannedLine(time: "1536839647.25"),
        ]
    }

    private func dump(_ options: String...) async throws -> CommandResult {
        let file = try folder.file("a.jsonl", lines.text)
        return try await trackctl(["dump", file, "--into", folder("lake")] + options)
    }

    /// The text of a file in the folder.
    private func text(_ name: String) -> String? { folder.bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    /// All files below a folder, sorted.
    private func files(_ name: String = "lake") -> [String] {
        let all = FileManager.default.enumerator(atPath: folder(name))?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix("l") || $0.hasSuffix("v") || $0.hasSuffix("z") || $0.hasSuffix(".partial") }
            .sorted()
    }

    @Test("Events are written into the folders of their hour in UTC, byte for byte and in order")
    func hours() async throws {
        let result = try await dump("--partition", "dt=%Y-%m-%d/hour=%H")
        #expect(result.exitCode == 0 && result.stdout.isEmpty)
        #expect(result.stderr == "trackctl: 4 events in 3 partitions\n")
        #expect(
            files() == [
                "dt=2018-09-12/hour=11/events.jsonl", "dt=2018-09-12/hour=12/events.jsonl",
                "dt=2018-09-13/hour=11/events.jsonl",
            ])
        #expect(text("lake/dt=2018-09-12/hour=11/events.jsonl") == [lines[0], lines[2]].text)
    }

    @Test("Values are written as Hive does, missing ones too; %j, %M and %% are literal")
    func values() async throws {
        _ = try await dump("--partition", "day=%Y%j/q=%{event.value.query}/p=%{event.value.page}-%M%%")
        let absent = "__HIVE_DEFAULT_PARTITION__"
        #expect(
            files() == [
                "day=2018255/q=\(absent)/p=\(absent)-54%/events.jsonl", "day=2018255/q=a%2Fb/p=2-54%/events.jsonl",
                "day=2018255/q=flux/p=1-54%/events.jsonl", "day=2018256/q=\(absent)/p=\(absent)-54%/events.jsonl",
            ])
    }

    @Test("A folder's name hides nothing, and is no option; a sign after a key stays")
    func harmlessNames() async throws {
        let lines: [PlannedLine] = [.search("-rf"), .search("a\u{9B}\u{202E}\u{200B}b"), .search("größe")]
        let file = try folder.file("a.jsonl", lines.text)
        let template = "%{event.value.query}/q=%{event.value.query}"
        #expect(
            try await trackctl(["dump", file, "--into", folder("names"), "--partition", template]).exitCode == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("names")).sorted()
        #expect(names == ["%2Drf", "a%C2%9B%E2%80%AE%E2%80%8Bb", "größe"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("names/%2Drf")) == ["q=-rf"])
    }

    @Test("With --gzip each file is compressed, however often it was closed in between")
    func compressed() async throws {
        #expect(try await dump("--partition", "hour=%H", "--gzip").exitCode == 0)
        #expect(files() == ["hour=11/events.jsonl.gz", "hour=12/events.jsonl.gz"])
        let packed = try #require(folder.bytes("lake/hour=11/events.jsonl.gz"))
        #expect(try await gunzip(packed) == Array([lines[0], lines[2], lines[3]].text.utf8))
        _ = try await dump("--partition", "hour=%H", "--gzip", "-o", "csv", "--fields", "seq", "--append-run", "b")
        let csv = try #require(folder.bytes("lake/hour=12/events-b.csv.gz"))
        #expect(try await gunzip(csv) == Array("seq\r\n1\r\n".utf8))

        let many = (0..<600).map { PlannedLine(seq: $0 + 1, time: "\(1_536_753_247 + $0 * 60 % 9000)") }
        let file = try folder.file("many.jsonl", many.text)
        let arguments = ["dump", file, "--partition", "m=%H-%M", "--into", folder("minutes"), "--gzip"]
        #expect(try await trackctl(arguments).exitCode == 0)
        let minute = try #require(folder.bytes("minutes/m=11-54/events.jsonl.gz"))
        #expect(
            try await gunzip(minute) == Array(stride(from: 0, to: 600, by: 150).map { many[$0] }.text.utf8))
    }

    @Test("Each file of a format is complete, from its beginning to its end")
    func formats() async throws {
        _ = try await dump("--partition", "hour=%H", "-o", "csv", "--fields", "seq,event.name")
        #expect(text("lake/hour=12/events.csv") == "seq,event.name\r\n1,search\r\n")
        #expect(text("lake/hour=11/events.csv") == "seq,event.name\r\n1,search\r\n1,launch\r\n1,launch\r\n")
    }

    @Test("An existing file is rejected before any file gets its name; a name per run avoids it, once")
    func existing() async throws {
        _ = try await dump("--partition", "dt=%d", "--event", "search")
        #expect(files() == ["dt=12/events.jsonl"])
        let before = text("lake/dt=12/events.jsonl")
        let refused = try await dump("--partition", "dt=%d", "--reverse")
        #expect(refused.exitCode == 64 && refused.stderr.contains("dt=12/events.jsonl exists"))
        #expect(files() == ["dt=12/events.jsonl"] && text("lake/dt=12/events.jsonl") == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("lake")) == ["dt=12"])
        #expect(try await dump("--partition", "dt=%d", "--append-run", "b").exitCode == 0)
        #expect(files() == ["dt=12/events-b.jsonl", "dt=12/events.jsonl", "dt=13/events-b.jsonl"])
        #expect(try await dump("--partition", "dt=%d", "--append-run", "b").exitCode == 64)
    }

    @Test("More partitions than files may be open are written completely, each in order")
    func many() async throws {
        let many = (0..<600).map { PlannedLine(seq: $0 + 1, time: "\(1_536_753_247 + $0 * 60 % 9000)") }
        let file = try folder.file("many.jsonl", many.text)
        let result = try await trackctl(["dump", file, "--partition", "m=%H-%M", "--into", folder("minutes")])
        #expect(result.stderr == "trackctl: 600 events in 150 partitions\n")
        let written = files("minutes").compactMap { text("minutes/\($0)") }
        #expect(written.count == 150 && written.allSatisfy { $0.split(separator: "\n").count == 4 })
        #expect(text("minutes/m=11-54/events.jsonl") == stride(from: 0, to: 600, by: 150).map { many[$0] }.text)
    }

    @Test("A value that cannot be a folder name is reported with its line, and the rest is written")
    func badNames() async throws {
        let long = String(repeating: "x", count: 253)
        let lines: [PlannedLine] = [
            .search("flux"), .search(long), .search(String(long.dropLast())), .search(#"\ud800"#), .search("last"),
        ]
        // A byte that is never valid UTF-8, instead of a letter.
        var bytes = Array(lines.text.utf8)
        let broken = lines.map { PlannedLine.search("bro~ken", time: $0.time) }.prefix(1).map { $0 }.text.utf8
        bytes += broken.map { $0 == UInt8(ascii: "~") ? 0xFF : $0 }
        bytes += Array([PlannedLine(name: "search", value: "{\"query\":[\"~\"]}")].text.utf8).map {
            $0 == UInt8(ascii: "~") ? 0xFE : $0
        }
        let file = try folder.file("bad.jsonl", bytes)
        let result = try await trackctl([
            "dump", file, "--into", folder("lake"), "--partition", "q=%{event.value.query}a",
        ])
        #expect(result.exitCode == 65)
        #expect(
            files() == ["q=\(long.dropLast())a", "q=fluxa", "q=lasta"].map { "\($0)/events.jsonl" }.sorted())
        let complaints = result.stderr.split(separator: "\n")
        #expect(zip(complaints, [2, 4, 6, 7]).allSatisfy { $0.hasPrefix("\(file):\($1):1: a value") })
        #expect(
            complaints.suffix(2) == ["trackctl: 3 events in 3 partitions", "trackctl: skipped 4 malformed lines"])
        #expect(complaints.count == 6 && !result.stderr.contains("xxx"))
    }

    @Test("A path that is too long is reported with its line, and the rest is written")
    func longPaths() async throws {
        let lines: [PlannedLine] = [.search(String(repeating: "x", count: 250)), .search("flux")]
        let file = try folder.file("long.jsonl", lines.text)
        let template = Array(repeating: "%{event.value.query}", count: 18).joined(separator: "/")
        let result = try await trackctl(["dump", file, "--into", folder("lake"), "--partition", template])
        #expect(result.exitCode == 65 && result.stderr.hasPrefix("\(file):1:1: values are too long"))
        #expect(files() == [String(repeating: "flux/", count: 18) + "events.jsonl"])
    }

    @Test("A line that the format cannot show creates no partition", arguments: [[], ["--gzip"]])
    func unparsable(options: [String]) async throws {
        let file = try folder.file("a.jsonl", [.search("flux", page: "007"), .search("grdb")].text)
        let result = try await trackctl(
            ["dump", file, "-o", "csv", "--into", folder("lake"), "--partition", "p=%{event.value.query}"] + options)
        #expect(result.exitCode == 65 && result.stderr.hasPrefix("\(file):1:"))
        #expect(result.stderr.contains("1 event in 1 partition\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("lake")) == ["p=grdb"])
        let only = try folder.file("b.jsonl", [PlannedLine.search("flux", page: "007")].text)
        let none = try await trackctl(
            ["dump", only, "-o", "csv", "--into", folder("none"), "--partition", "p=a"] + options)
        #expect(none.exitCode == 65 && !FileManager.default.fileExists(atPath: folder("none")))
    }

    @Test(
        "Invalid templates and combinations are rejected",
        arguments: [
            ["--partition", "%Q"], ["--partition", "/a"], ["--partition", "a//b"], ["--partition", "../x"],
            ["--partition", "%{event"], ["--partition", "%{a..b}"], ["--partition", "a", "-o", "otlp"],
            ["--partition", "a", "--append-run", "a/b"], ["--append-run", "a"], ["--gzip"], [],
            ["--partition", "a", "--into", ""],
            ["--partition", String(repeating: "a", count: 256)],
        ])
    func refused(options: [String]) async throws {
        let result = try await trackctl(["dump", "a.jsonl", "--into", folder("lake")] + options)
        #expect(result.exitCode == 64 && result.stderr.contains("Usage: trackctl dump"))
    }

    /// The last line of `tools/duckdb/environment`: the folder of a Python environment with DuckDB.
    private static func duckDBEnvironment() async throws -> String? {
        let made = try await runProgram("\(package)/tools/duckdb/environment", [])
        return made.exitCode == 0 ? made.lines.last : nil
    }

    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").path

    @Test(
        "The query for DuckDB in the manual reads the folders, plain and compressed, with their keys as columns",
        .enabled("needs DuckDB, which is installed from PyPI") { try await duckDBEnvironment() != nil })
    func duckDB() async throws {
        let page = "\(Self.package)/Sources/Trackctl/TrackctlCommands/Trackctl.docc/Partitions.md"
        let manual = try String(contentsOfFile: page, encoding: .utf8)
        let query = try #require(manual.components(separatedBy: "\n").first { $0.contains("hive_partitioning = true") })
        _ = try await dump("--partition", "dt=%Y-%m-%d/hour=%H")
        _ = try await dump("--partition", "dt=%Y-%m-%d/hour=%H", "--gzip", "--append-run", "packed")
        let python = try #require(try await Self.duckDBEnvironment()) + "/bin/python"
        let script =
            "import duckdb, sys\nfor row in duckdb.sql(sys.argv[1]).fetchall(): print(*row, sep='|')"
        for query in [query, query.replacing("*.jsonl'", with: "*.jsonl.gz'")] {
            let result = try await runProgram(
                python, ["-c", script, query.replacing("'lake/", with: "'\(folder("lake"))/")])
            #expect(result.stderr.isEmpty)
            #expect(result.lines == ["2018-09-12|11|2", "2018-09-12|12|1", "2018-09-13|11|1"])
        }
    }
}
