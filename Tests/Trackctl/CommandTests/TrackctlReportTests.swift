import CommandRunner
import Foundation
import Testing

@Suite("trackctl report")
struct TrackctlReportTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func report(_ arguments: String..., stdin: String = "") async throws -> CommandResult {
        try await trackctl(
            ["report", "--schemas", TrackctlValidateTests.schemas] + arguments, stdin: Array(stdin.utf8))
    }

    private static let way = "launch > search > page-view:repository-detail"

    @Test("The whole page of a small log")
    func golden() async throws {
        let result = try await report(
            "-", "--title", "Three days", "--funnel", Self.way, "--funnel", "search{event.value.page > 0} > page-*",
            "--within", "1m", stdin: ReportedLine.few.text)
        #expect(result.stderr == "" && result.exitCode == 0)
        try GoldenPage.expect(result.stdout, is: "report.html")
    }

    @Test("The figures of funnels, sessions, retention and findings are those of the lines")
    func figures() async throws {
        let page = try await report("-", "--funnel", Self.way, stdin: ReportedLine.few.text).text
        for row in [
            "<td>1. launch</td><td class=\"number\">2</td><td class=\"number\">100.0%</td><td class=\"number\"></td>",
            "<td>2. search</td><td class=\"number\">2</td><td class=\"number\">100.0%</td>",
            "<td>3. page-view:repository-detail</td><td class=\"number\">1</td><td class=\"number\">50.0%</td>",
            "<td>1 min to 5 min</td><td class=\"number\">1</td>", "<td>10 s to 1 min</td><td class=\"number\">1</td>",
            "<td>3 to 5 events</td><td class=\"number\">1</td>", "<dt>Median length</dt><dd>10 s</dd>",
            "<td>2018-09-12</td><td class=\"number\">1</td><td class=\"number\">0</td><td class=\"number\">1</td>",
            "<th scope=\"row\">All</th><td>2</td>", "<dt>Invalid</dt><dd>1</dd>",
            "<td>search/1-0-0</td><td class=\"number\">2</td><td class=\"number\">1</td><td class=\"number\">1</td>",
            "In the plan, never seen: background, notification.",
        ] {
            #expect(page.contains(row), "\(row)")
        }
    }

    @Test("By session and within a time limit, fewer complete the steps")
    func funnelOptions() async throws {
        let lines = ReportedLine.few.text
        let within = try await report("-", "--funnel", Self.way, "--within", "64s", stdin: lines).text
        #expect(within.contains("<td>3. page-view:repository-detail</td><td class=\"number\">0</td>"))
        #expect(within.contains("in this order, within 1 min 4 s of the first."))
        let sessions = try await report("-", "--funnel", Self.way, "--funnel-by", "session_id", stdin: lines).text
        #expect(sessions.contains("<td>1. launch</td><td class=\"number\">3</td>"))
    }

    @Test("Names with markup, quotes and control characters stay text everywhere")
    func escaping() async throws {
        let name = #"<script>alert('1')</script>\"&\u0007"#
        let line = ReportedLine(user: "<b>", name: name, second: 5).text(1)
        let page = try await report("-", "--title", "<i>'\"", "--funnel", "\"<u>\" > *", stdin: line + "\n").text
        for markup in ["<script", "<b>", "<i>", "<u>", "\u{7}"] { #expect(!page.contains(markup), "\(markup)") }
        #expect(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;\u{FFFD}"))
        #expect(page.contains("<h1>&lt;i&gt;&#39;&quot;</h1>"))
    }

    @Test("The page is the same for any number of threads, and in a file as on standard output")
    func threads() async throws {
        var lines = ""
        for seq in 1...4000 {
            let names = ["launch", "search", "page-view"]
            lines += ReportedLine(user: "user-\(seq % 700)", name: names[seq % 3], second: seq * 60).text(seq) + "\n"
        }
        let file = try folder.file("a.jsonl", lines)
        let one = try await report(file, "--jobs", "1", "--funnel", Self.way)
        let four = try await report(file, "--jobs", "4", "--funnel", Self.way, "-o", folder("a.html"))
        #expect(one.exitCode == 0 && four.exitCode == 0 && four.stdout.isEmpty)
        #expect(folder.bytes("a.html") == one.stdout)
        #expect(try folder.names() == ["a.html", "a.jsonl"])
    }

    @Test("Without a funnel, a plan or a second day the page says so; a log without events has no charts")
    func little() async throws {
        let empty = try folder.file("empty.jsonl", "")
        let result = try await runProgram(
            "/bin/sh", ["-c", "cd / && exec \"$0\" report \"$1\"", try CommandLocation.path(of: "trackctl"), empty])
        #expect(result.exitCode == 0 && !result.text.contains("<figure>"))
        #expect(
            result.text.contains("The lines were not checked. Pass the folder of the tracking plan with --schemas."))
        let day = try await report("-", stdin: [ReportedLine(user: "a", second: 1)].text).text
        #expect(day.contains("No funnels were requested") && day.contains("there is no retention yet"))
        #expect(day.contains("Every line matches its schema."))
    }

    @Test("A line that is not an event is reported, counted on the page, and the exit code is 65")
    func faulty() async throws {
        let result = try await report("-", stdin: ReportedLine.few.text + "x\n")
        #expect(result.stderr == "<stdin>:7:1: expected a value\ntrackctl: skipped 1 malformed line\n")
        #expect(result.exitCode == 65 && result.text.contains("<dt>Malformed lines</dt><dd>1</dd>"))
    }

    @Test("A firing matrix is a table of routes and events; what no test asserts is named")
    func matrix() async throws {
        let matrix = try folder.file(
            "matrix.jsonl",
            """
            {"routes":["search","<b>"]}
            {"event":"page-view","place":"T/F.swift:9","route":"search","schema":"page-view/1-0-0","test":"one"}
            {"event":"page-view","place":"T/F.swift:19","route":"search","schema":"page-view/1-0-0","test":"two"}
            {"event":"launch","place":"T/F.swift:3","schema":"launch/1-0-0"}

            """)
        let lines = ReportedLine.few.text
        let page = try await report("-", "--matrix", matrix, stdin: lines).text
        for part in [
            "<section id=\"tests\"", "<dt>Routes asserted</dt><dd>1 of 2</dd>",
            "<dt>Events asserted</dt><dd>2 of 5</dd>",
            "<tr><th scope=\"row\">search</th><td>2</td><td class=\"none\">0</td><td class=\"none\">0</td>"
                + "<td class=\"none\">0</td><td class=\"share\" style=\"--share:1\">2</td><td class=\"none\">0</td></tr>",
            "<td>search</td><td>page-view</td><td>two</td>", "<td>(no route)</td><td>launch</td><td>T/F.swift:3</td>",
            "Without assertions (routes): &lt;b&gt;.",
            "Without assertions (events): background, notification, search.",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(try await !report("-", stdin: lines).text.contains("<section id=\"tests\""))
        let broken = try await report("-", "--matrix", folder.file("x.jsonl", "{}\n"), stdin: lines)
        #expect(broken.exitCode == 65 && broken.stdout.isEmpty)
        #expect(broken.stderr.contains("x.jsonl:1: not a line of a firing matrix"))
    }

    @Test("Selection options skip events, also those of an event log")
    func selection() async throws {
        let log = try await folder.log("a.sqlite", .launches(1...5) + [TrackctlLine(6, "search")])
        let page = try await report(log, "--event", "launch").text
        #expect(page.contains("<dt>Events</dt><dd>5</dd>") && !page.contains("<td>search</td>"))
    }

    @Test("The earliest and the latest possible time give a page")
    func extremes() async throws {
        let ends = ["-9223372036854.775808", "9223372036854"]
        let lines = ends.map { PlannedLine(time: $0) }.text
        let result = try await report("-", stdin: lines)
        #expect(result.exitCode == 0 && result.stderr == "" && result.text.contains("<dt>Events</dt><dd>2</dd>"))
    }

    @Test("--stamp shows when the page was created, and nothing else does")
    func stamp() async throws {
        let lines = ReportedLine.few.text
        #expect(
            try await report("-", "--stamp", stdin: lines).text.contains(
                /<p>Created at 20\d\d-\d\d-\d\d .{8} UTC\.<\/p>/))
        #expect(try await !report("-", stdin: lines).text.contains("Made at"))
    }

    @Test("An input is never overwritten, and an output that is not writable is rejected before reading")
    func outputs() async throws {
        let file = try folder.file("a.jsonl", ReportedLine.few.text)
        let onto = try await report(file, "-o", file)
        #expect(onto.stderr == "trackctl: \(file) is one of the inputs: choose another name for the page\n")
        #expect(onto.exitCode == 64 && folder.bytes("a.jsonl") == Array(ReportedLine.few.text.utf8))
        let device = try await report(file, "-o", "/dev/null")
        #expect(device.stderr == "trackctl: /dev/null is a folder or a device: pass a file\n" && device.exitCode == 64)
        let nowhere = try await report(file, "-o", folder("none/a.html"))
        #expect(nowhere.exitCode == 74 && nowhere.stderr.hasPrefix("trackctl: cannot write \(folder("none/a.html"))"))
    }

    @Test("A terminal is rejected")
    func terminal() async throws {
        let trackctl = try CommandLocation.path(of: "trackctl")
        let result = try await runProgram("/usr/bin/script", ["-qec", "'\(trackctl)' report /dev/null", "/dev/null"])
        #expect(result.text.contains("will not write HTML to a terminal: pass a file with -o, or use a pipe"))
        #expect(result.exitCode == 64)
    }
}

/// A page in the folder Golden.
enum GoldenPage {
    /// Compares a page with a file, all of it. GOLDEN=record rewrites the file; review the difference before it is
    /// committed.
    static func expect(_ page: [UInt8], is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name)")
        if ProcessInfo.processInfo.environment["GOLDEN"] == "record" { try Data(page).write(to: file) }
        #expect(try page == [UInt8](Data(contentsOf: file)), "\(name) differs", sourceLocation: sourceLocation)
    }
}
