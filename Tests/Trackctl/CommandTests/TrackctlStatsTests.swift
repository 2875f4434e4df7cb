import CommandRunner
import EventLog
import Foundation
import Testing

@Suite("trackctl stats")
struct TrackctlStatsTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func stats(_ arguments: String..., stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["stats"] + arguments, stdin: stdin)
    }

    private let lines = [
        TrackctlLine(7, "search"), TrackctlLine(1), TrackctlLine(2, "page-view"), TrackctlLine(3, "page-view"),
        TrackctlLine(2, "page-view"), TrackctlLine(10), TrackctlLine(4, "search", install: "install-b"),
    ]

    @Test("Text shows counts, times, missing and duplicate events")
    func text() async throws {
        let result = try await stats(try folder.file("a.jsonl", lines.text))
        #expect(
            result.text == """
                events    7
                bytes     1,349, 192 per line
                first     2018-09-12T11:54:07.000001Z
                last      2018-09-12T11:54:07.000010Z
                users     1
                sessions  1
                installs  2

                event      count  share  bytes  users
                page-view      3  42.9%    588      1
                launch         2  28.6%    381      1
                search         2  28.6%    380      1

                install    count  seq   missing      doubled
                install-a      6  1-10  5: 4-6, 8-9  1: 2
                install-b      1  4     none         none

                """)
        #expect(result.stderr.isEmpty && result.exitCode == 0)
    }

    @Test("JSON is one line with sorted members")
    func json() async throws {
        let result = try await stats("-", "--json", stdin: Array((lines.text + "x\n").utf8))
        #expect(
            result.text == """
                {"bytes":1349,"drops":[],"events":[\
                {"bytes":588,"count":3,"longest":196,"name":"page-view","users":{"approximate":false,"count":1}},\
                {"bytes":381,"count":2,"longest":191,"name":"launch","users":{"approximate":false,"count":1}},\
                {"bytes":380,"count":2,"longest":190,"name":"search","users":{"approximate":false,"count":1}}],\
                "faulty_lines":1,"first_time":"2018-09-12T11:54:07.000001Z","held":[],"installs":[\
                {"approximate":false,"count":6,"doubled":1,"doubles":[[2,2]],"first_seq":1,"gaps":[[4,6],[8,9]],\
                "install_id":"install-a","last_seq":10,"missing":5},\
                {"approximate":false,"count":1,"doubled":0,"doubles":[],"first_seq":4,"gaps":[],\
                "install_id":"install-b","last_seq":4,"missing":0}],\
                "last_time":"2018-09-12T11:54:07.000010Z","sessions":{"approximate":false,"count":1},\
                "times":{"counts":[7],"first_second":1536753247,"seconds":1},"total":7,"unchecked":0,\
                "users":{"approximate":false,"count":1}}

                """)
        #expect(result.stderr == "<stdin>:8:1: expected a value\ntrackctl: skipped 1 malformed line\n")
        #expect(result.exitCode == 65)
    }

    @Test("Numbers in reverse or mixed order close their gaps")
    func order() async throws {
        let seqs: [Int64] = [9, 8, 1, 3, 5, 4, 2, 7, 6]
        let result = try await stats("-", stdin: Array(seqs.map { TrackctlLine($0) }.text.utf8))
        #expect(result.lines.last == "install-a      9  1-9  none     none")
    }

    @Test("Inputs are counted together")
    func severalInputs() async throws {
        let first = try folder.file("a.jsonl", [TrackctlLine].launches(1...5).text)
        let second = try await folder.log("a.sqlite", .launches(1...8))
        let result = try await stats(first, second)
        #expect(result.lines.last == "install-a     13  1-8  none     5: 1-5")
    }

    @Test("Events that a log dropped on purpose are shown with the reason")
    func ledger() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append([TrackctlLine(1), TrackctlLine(2)], to: store)
        store.recordDrop(.tooLarge)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: 2), refused: 2...2)
        try await store.close()
        let text = try await stats(folder("a.sqlite"))
        #expect(
            text.lines.suffix(3) == [
                "dropped    consumer  count  seq  log",
                "refused    http          1  2    \(folder("a.sqlite"))",
                "too-large  -             1  -    \(folder("a.sqlite"))",
            ])
        let json = try await stats(folder("a.sqlite"), "--json")
        #expect(
            json.text.contains(
                """
                "drops":[{"consumer":"http","count":1,"first_seq":2,"input":"\(folder("a.sqlite"))","last_seq":2,\
                "reason":"refused"},{"consumer":null,"count":1,"first_seq":null,"input":"\(folder("a.sqlite"))",\
                "last_seq":null,"reason":"too-large"}],
                """))
    }

    @Test("An input without events has no times")
    func empty() async throws {
        let result = try await stats("-")
        #expect(result.text == "events    0\n")
        #expect(result.exitCode == 0)
    }

    @Test("By time, as text and as CSV with its quotes")
    func steps() async throws {
        let odd = TrackctlLine(8, "a,b").text.replacingOccurrences(of: "1536753247", with: "1536760000")
        let file = try folder.file("a.jsonl", lines.text + odd + "\n")
        let csv = try await stats(file, "--by", "hour", "--format", "csv")
        #expect(
            csv.text == """
                hour,event,count\r
                2018-09-12T11:00Z,launch,2\r
                2018-09-12T11:00Z,page-view,3\r
                2018-09-12T11:00Z,search,2\r
                2018-09-12T13:00Z,"a,b",1\r

                """)
        let text = try await stats(file, "--by", "day", "--event", "page-view")
        #expect(text.lines.suffix(2) == ["day         event      count", "2018-09-12  page-view      3"])
        #expect(
            try await stats(file, "--json", "--by", "day", "--event", "search").text.contains(
                #""steps":[{"count":2,"event":"search","time":"2018-09-12T00:00:00.000000Z"}]"#))
        let berlin = ["--time-zone", "Europe/Berlin", "--event", "search", "--format", "csv"]
        for (step, name) in [
            ("hour", "2018-09-12T13:00+02:00"), ("day", "2018-09-12"), ("week", "2018-09-10"), ("month", "2018-09"),
        ] {
            let result = try await trackctl(["stats", file, "--by", step] + berlin)
            #expect(result.text == "\(step),event,count\r\n\(name),search,2\r\n")
        }
        #expect(try await stats(file, "--json", "--format", "csv").exitCode == 64)
        #expect(try await stats(file, "--time-zone", "UTC").exitCode == 64)
        let nowhere = try await stats(file, "--by", "day", "--time-zone", "Europe/Nowhere")
        #expect(nowhere.exitCode == 64 && nowhere.stderr.contains("write a name such as Europe/Berlin or UTC"))
    }

    /// The earliest and the latest possible time, and one out of range for an event's time.
    private static let extremes = ["-9223372036854.775808", "-9000000000000", "9000000000000", "9223372036854"]

    @Test("The earliest and the latest possible time are shown")
    func extremeTimes() async throws {
        let lines = Array(Self.extremes.enumerated().map { PlannedLine(seq: $0 + 1, time: $1) }.text.utf8)
        let text = try await stats("-", stdin: lines)
        #expect(text.lines.first == "events    4, 0.0 per day")
        #expect(
            text.lines.dropFirst(2).prefix(2) == [
                "first     -290308-12-21T19:59:05.224192Z", "last      294247-01-10T04:00:54.000000Z",
            ])
        let json = try await stats("-", "--json", stdin: lines)
        #expect(json.text.contains(#""first_time":"-290308-12-21T19:59:05.224192Z""#))
        let csv = try await stats("-", "--format", "csv", stdin: lines)
        #expect(csv.text == "event,count,bytes,users\r\nlaunch,4,\(lines.count - 4),1\r\n")
        for result in [text, json] { #expect(result.exitCode == 0 && result.stderr.isEmpty) }
    }

    @Test(
        "Intervals at the earliest and the latest possible time are shown, in every format",
        arguments: ["minute", "hour", "day", "week", "month"], [nil, "America/New_York", "Asia/Kolkata"])
    func extremeSteps(step: String, zone: String?) async throws {
        let lines = Array(Self.extremes.enumerated().map { PlannedLine(seq: $0 + 1, time: $1) }.text.utf8)
        for format in ["text", "csv", "json"] {
            let options = ["stats", "-", "--by", step, "--format", format] + (zone.map { ["--time-zone", $0] } ?? [])
            let result = try await trackctl(options, stdin: lines)
            #expect(result.exitCode == 0 && result.stderr.isEmpty)
            switch format {
            case "csv":
                let records = result.text.split(separator: "\r\n")
                #expect(Set(records).count == 5 && records.dropFirst().first?.hasPrefix("-290308-12") == true)
            case "text": #expect(result.lines.suffix(4).allSatisfy { $0.hasSuffix("  launch      1") })
            default:
                #expect(result.text.contains(#""steps":[{"count":1,"event":"launch","time":"-290308-12-"#))
                #expect(result.text.contains(#""uncounted":0"#))
            }
        }
        if step == "month", zone == nil {
            let months = try await stats("-", "--by", "month", "--format", "csv", stdin: lines)
            #expect(
                months.text.split(separator: "\r\n").dropFirst() == [
                    "-290308-12,launch,1", "-283229-05,launch,1", "287168-08,launch,1", "294247-01,launch,1",
                ])
        }
    }

    @Test("Events beyond the counted intervals are shown in every format")
    func uncounted() async throws {
        var lines: [UInt8] = []
        for seq in 1...98_400 {
            let members = #""install_id":"i","seq":\#(seq),"session_id":"s","user_id":"u","time":\#(seq * 60)"#
            lines += Array("{\(members),\"event\":{\"name\":\"a\"}}\n".utf8)
        }
        let file = try folder.file("many.jsonl", lines)
        let words = "96 events not counted by time: choose a longer step, or a shorter time span\n"
        let json = try await stats(file, "--by", "minute", "--json")
        #expect(json.text.hasSuffix(#""uncounted":96,"users":{"approximate":false,"count":1}}"# + "\n"))
        let csv = try await stats(file, "--by", "minute", "--format", "csv")
        #expect(csv.text.split(separator: "\r\n").count == 98_305)
        for result in [json, csv] { #expect(result.stderr == "trackctl: \(words)" && result.exitCode == 0) }
        let text = try await stats(file, "--by", "minute")
        #expect(text.text.hasSuffix(words) && text.stderr.isEmpty)
        #expect(try await stats(file, "--by", "hour", "--format", "csv").stderr.isEmpty)
    }

    @Test("The figures are the same for any number of threads, and malformed lines keep their numbers")
    func threads() async throws {
        var text = ""
        for seq in 1...20_000 {
            text += TrackctlLine(Int64(seq), seq.isMultiple(of: 3) ? "search" : "launch").text + "\n"
            if seq.isMultiple(of: 7000) { text += "x\n" }
        }
        let file = try folder.file("a.jsonl", text)
        let one = try await stats(file, file, "--json", "--jobs", "1")
        let four = try await stats(file, file, "--json", "--jobs", "4")
        #expect(one.text == four.text && one.stderr == four.stderr && one.exitCode == 65)
        #expect(one.stderr.hasPrefix("\(file):7001:1: expected a value\n\(file):14002:1: expected a value\n"))
    }
}
