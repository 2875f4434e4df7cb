import CommandRunner
import Foundation
import Testing

@Suite("trackctl coverage")
struct TrackctlCoverageTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func coverage(_ arguments: String..., stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["coverage"] + arguments, stdin: stdin)
    }

    /// A plan of an app: an event in two versions.
    private func schemas() throws -> String {
        for name in ["schemas", "schemas/events", "schemas/events/order"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
        }
        for (version, value) in [("1-0-0", ""), ("1-0-1", #", "state": {"enum": ["open", "paid"]}"#)] {
            _ = try folder.file(
                "schemas/events/order/\(version).json",
                """
                {"$id": "https://example.com/events/order/\(version).json", "type": "object", "properties": {
                    "name": {"const": "order"},
                    "value": {"type": "object", "properties": {"gift": {"type": "boolean"}\(value)}}}}
                """)
        }
        return folder("schemas")
    }

    private let lines: [PlannedLine] = [
        PlannedLine(), .search("flux"), PlannedLine(name: "order", value: #"{"gift":true}"#),
        PlannedLine(name: "order", schema: "order/1-0-1", value: #"{"gift":true,"state":"paid"}"#),
        PlannedLine(name: "order", schema: "order/1-0-1", value: #"{"state":"lost"}"#),
    ]

    @Test("The matrix shows which events tests assert for which routes, and what none asserts")
    func matrix() async throws {
        let file = try folder.file(
            "matrix.jsonl",
            """
            {"routes":["search","detail","settings"]}
            {"event":"launch","place":"T/F.swift:3","schema":"launch/1-0-0","test":"launching"}
            {"event":"page-view","place":"T/F.swift:9","route":"search","schema":"page-view/1-0-0","test":"searching"}
            {"event":"page-view","place":"T/F.swift:9","route":"search","schema":"page-view/1-0-0","test":"searching"}
            {"event":"page-view","place":"T/F.swift:19","route":"search","schema":"page-view/1-0-0","test":"again"}
            {"event":"search","place":"T/F.swift:30","route":"detail","schema":"search/1-0-0"}

            """)
        let result = try await coverage(
            "--matrix", file, "--schemas", TrackctlValidateTests.schemas, "--threshold-matrix", "61")
        #expect(
            result.text == """
                firing matrix
                tests of    background  launch  notification  page-view  search
                search               -       -             -          2       -
                detail               -       -             -          -       1
                settings             -       -             -          -       -
                (no route)           -       1             -          -       -

                2 of 3 routes (66.6%), 3 of 5 events (60.0%) asserted
                not asserted by any test:
                  route settings
                  event background
                  event notification

                """)
        #expect(
            result.stderr == "trackctl: 60.0% of the events are asserted by a test: below the threshold of 61%\n")
        #expect(result.exitCode == 1)
        let json = try await coverage("--matrix", file, "--json", "--schemas", TrackctlValidateTests.schemas)
        #expect(json.exitCode == 0)
        #expect(
            json.text.contains(
                """
                "matrix":{"cells":[{"event":"page-view","route":"search","tests":["again","searching"]},\
                {"event":"search","route":"detail","tests":["T/F.swift:30"]},{"event":"launch","tests":["launching"]}],\
                "consents":[],"events":{"percent":60,"seen":3,"total":5},"routes":{"percent":66.66,"seen":2,"total":3}}
                """))
        let broken = try await coverage(
            "--matrix", folder.file("x.jsonl", "{}\n"), "--schemas", TrackctlValidateTests.schemas)
        #expect(broken.exitCode == 65 && broken.stderr.contains("x.jsonl:1: not a line of a firing matrix"))
        #expect(try await coverage("--threshold-matrix", "1", "--tests", file).exitCode == 64)
        let torn = try await coverage(
            "--matrix", folder.file("torn.jsonl", #"{"routes":["a"]}"# + "\n{\"eve"), "--schemas",
            TrackctlValidateTests.schemas)
        #expect(torn.exitCode == 65 && torn.stderr.contains("torn.jsonl:2: truncated line"))
    }

    @Test("The matrix shows each event's purpose, and under which consent it is asserted")
    func matrixPurposes() async throws {
        let lines = [
            ("launch", "analytics", "granted", "a"), ("ad", "ads", "unknown", "b"), ("ad", "ads", "granted", "b"),
        ]
        .map { event, purpose, consent, test in
            """
            {"consent":"\(consent)","event":"\(event)","place":"T/F.swift:3","purpose":"\(purpose)","test":"\(test)"}

            """
        }
        let file = try folder.file("matrix.jsonl", lines.joined())
        let result = try await coverage("--matrix", file, "--schemas", TrackctlValidateTests.schemas)
        #expect(
            result.text.contains(
                """

                tests by consent  purpose    granted  unknown
                launch            analytics        1        -
                ad                ads              1        1


                """))
        let json = try await coverage("--matrix", file, "--json", "--schemas", TrackctlValidateTests.schemas)
        #expect(
            json.text.contains(
                """
                "consents":[{"consent":"granted","event":"launch","purpose":"analytics","tests":["a"]},\
                {"consent":"granted","event":"ad","purpose":"ads","tests":["b"]},\
                {"consent":"unknown","event":"ad","purpose":"ads","tests":["b"]}]
                """))
    }

    @Test("A matrix without a list of routes cannot claim that all routes have a test")
    func undeclaredRoutes() async throws {
        // Not in the order of their names: tests run in parallel.
        let file = try folder.file(
            "matrix.jsonl",
            """
            {"event":"launch","place":"T/F.swift:9","route":"search","schema":"launch/1-0-0"}
            {"event":"launch","place":"T/F.swift:3","route":"detail","schema":"launch/1-0-0"}

            """)
        let result = try await coverage(
            "--matrix", file, "--schemas", TrackctlValidateTests.schemas, "--threshold-matrix", "1")
        let advice =
            "no test declares the app's routes: call FiringMatrix.declare(routes:) in a test to list untested routes"
        #expect(
            result.text == """
                firing matrix
                tests of  background  launch  notification  page-view  search
                detail             -       1             -          -       -
                search             -       1             -          -       -

                2 routes of an unknown total, 1 of 5 events (20.0%) asserted
                not asserted by any test:
                  event background
                  event notification
                  event page-view
                  event search
                \(advice)

                """)
        #expect(result.stderr == "trackctl: \(advice)\n" && result.exitCode == 1)
    }

    @Test("Text shows the percentage of each event, and what was never seen")
    func text() async throws {
        let result = try await coverage("-", "--schemas", schemas(), stdin: Array(lines.text.utf8))
        #expect(
            result.text == """
                logs
                event        lines  seen  of  percent
                order/1-0-1      1     8  10    80.0%
                total            5     8  10    80.0%

                never seen in the logs:
                  order/1-0-1
                    /event/value/gift=false
                    /event/value/state="open"

                SDK events in the logs (not counted):
                  launch/1-0-0: 1 line
                  search/1-0-0: 1 line

                old versions in the logs (not counted):
                  order/1-0-0: 1 line

                1 invalid line not counted: run trackctl validate for details

                """)
        #expect(result.stderr == "" && result.exitCode == 0)
    }

    @Test("A plan with another purpose than analytics shows the purpose of each event")
    func purposes() async throws {
        let schemas = try schemas()
        for (name, purpose) in [("ad", #""x-purpose": "ads","#), ("lock", #""x-purpose": "exempt","#)] {
            try FileManager.default.createDirectory(
                atPath: folder("schemas/events/\(name)"), withIntermediateDirectories: false)
            _ = try folder.file(
                "schemas/events/\(name)/1-0-0.json",
                #"{\#(purpose) "type": "object", "properties": {"name": {"const": "\#(name)"}}}"#)
        }
        let result = try await coverage("-", "--schemas", schemas, stdin: Array(lines.text.utf8))
        #expect(
            result.text.hasPrefix(
                """
                logs
                event        purpose    lines  seen  of  percent
                ad/1-0-0     ads            0     0   3     0.0%
                lock/1-0-0   exempt         0     0   3     0.0%
                order/1-0-1  analytics      1     8  10    80.0%
                total                       5     8  16    50.0%

                """))
        let json = try await coverage("-", "--schemas", schemas, "--json", stdin: Array(lines.text.utf8))
        #expect(json.text.contains(#""percent":0,"purpose":"ads","schema":"ad/1-0-0","#))
        #expect(json.text.contains(#""percent":80,"schema":"order/1-0-1","#))
    }

    @Test("Old versions count on request")
    func allVersions() async throws {
        let result = try await coverage("-", "--schemas", schemas(), "--all-versions", stdin: Array(lines.text.utf8))
        #expect(result.lines.contains("order/1-0-0      1     6   7    85.7%"))
        #expect(!result.text.contains("old versions"))
    }

    @Test("JSON is one line with sorted members; logs and tests are separate")
    func json() async throws {
        let tests = try folder.file("tests.jsonl", [PlannedLine()].text)
        let schemas = TrackctlValidateTests.schemas
        let result = try await coverage(
            "-", "--tests", tests, "--schemas", schemas, "--json",
            stdin: Array(PlannedLine.search("a").text.utf8) + [10])
        #expect(
            result.text.hasPrefix(#"{"logs":{"invalid":0,"lines":1,"never_seen":["background/1-0-0","launch/1-0-0","#))
        #expect(
            result.text.contains(
                #"""
                {"complete":true,"container":false,"counted":true,"lines":0,"missing":[{"pointer":"/event/name"},\#
                {"pointer":"/event/name","value":"\"launch\""}],"percent":0,"schema":"launch/1-0-0","seen":0,"total":3}
                """#))
        #expect(
            result.text.contains(
                #"""
                {"complete":true,"container":false,"counted":true,"lines":1,"missing":[],"percent":100,"schema":"search/1-0-0","seen":6,\#
                "total":6}
                """#))
        let start = try #require(result.text.range(of: #""schemas":"\#(schemas)","tests":{"invalid":0,"lines":1,"#))
        #expect(result.text[start.upperBound...].hasPrefix(#""never_seen":["background/1-0-0","notification/1-0-0","#))
        #expect(result.text.hasSuffix("}}\n") && result.exitCode == 0)
    }

    @Test(
        "A result below the threshold ends with 1 and a message",
        arguments: [
            (["--threshold", "34"], "", 0), (["--threshold", "34.1"], "34.0% of the plan is seen in the logs", 1),
            (["--threshold-tests", "34.09"], "", 0),
            (["--threshold-tests", "35"], "34.0% of the plan is seen in the tests", 1),
        ] as [([String], String, Int32)])
    func thresholds(arguments: [String], message: String, status: Int32) async throws {
        let file = try folder.file("a.jsonl", [PlannedLine()].text)
        let result = try await trackctl(
            ["coverage", file, "--tests", file, "--schemas", TrackctlValidateTests.schemas] + arguments)
        #expect(result.exitCode == status)
        let expected = message.isEmpty ? "" : "trackctl: \(message): below the threshold of \(arguments[1])%\n"
        #expect(result.stderr == expected)
    }

    @Test("Lines of tests may be in several files; the arguments after their names are logs again")
    func severalTests() async throws {
        let launch = try folder.file("a.jsonl", [PlannedLine()].text)
        let search = try folder.file("b.jsonl", [PlannedLine.search("x")].text)
        let schemas = TrackctlValidateTests.schemas
        let result = try await coverage("--tests", launch, "--tests", search, search, "--schemas", schemas, "--json")
        #expect(result.text.contains(#""logs":{"invalid":0,"lines":1,"#))
        #expect(result.text.contains(#""tests":{"invalid":0,"lines":2,"#))
    }

    @Test("Any number of threads gives the same result, and an unreadable input decides the exit code")
    func threads() async throws {
        let text = (0..<1500).map { PlannedLine.search("\($0)") }.text + [PlannedLine()].text
        let file = try folder.file("a.jsonl", text)
        let packed = try folder.file("a.gz", try await gzip(text))
        let one = try await coverage(file, packed, "--jobs", "1", "--schemas", TrackctlValidateTests.schemas)
        let two = try await coverage(file, packed, "--jobs", "2", "--schemas", TrackctlValidateTests.schemas)
        #expect(one.text == two.text && one.exitCode == 0)
        let missing = try await coverage(file, folder("none"), "--schemas", TrackctlValidateTests.schemas)
        #expect(missing.exitCode == 66)
        #expect(missing.stderr == "trackctl: cannot open \(folder("none")): no such file; check the path\n")
    }

    @Test(
        "The demo covers the whole plan except members that its events do not have",
        .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
    func demo() async throws {
        let hour = try await RealHour.played
        #expect(hour.result.exitCode == 0)
        let file = try folder.file("events.jsonl", Array(hour.lines))
        let result = try await coverage(file, "--schemas", TrackctlValidateTests.schemas)
        #expect(
            result.text == """
                logs
                event                lines  seen  of  percent
                background/1-0-0     4,280     3   3   100.0%
                launch/1-0-0         7,928     3   3   100.0%
                notification/1-0-0   1,188     6   6   100.0%
                page-view/1-0-0      5,834     6   6   100.0%
                search/1-0-0         1,685     6   6   100.0%
                container/1-0-0     20,915    16  20    80.0%
                total               20,915    40  44    90.9%

                never seen in the logs:
                  container/1-0-0
                    /context/os
                    /origin

                """)
    }
}
