import CommandRunner
import Foundation
import Testing

@Suite("trackctl and the unplanned events of a plan")
struct TrackctlUnplannedTests {
    private let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        try FileManager.default.createDirectory(atPath: folder("plan"), withIntermediateDirectories: false)
        try write("2999-12-31")
    }

    private func write(_ until: String) throws {
        _ = try folder.file(
            "plan/unplanned.json",
            """
            {"x-unplanned": {"promo-shown": {"description": "A banner.", "until": "\(until)"},
             "beta": {"description": "B."}}}

            """)
    }

    /// Lines of the SDK, of an allowed event, and of the given ones.
    private func lines(_ others: String...) throws -> String {
        let promo = Self.marked(PlannedLine(name: "promo-shown", value: #"{"banner":3}"#))
        return try folder.file("a.jsonl", ([PlannedLine().text, promo, promo] + others).joined(separator: "\n") + "\n")
    }

    private static func marked(_ line: PlannedLine) -> String {
        line.text.replacing("/1-0-0\",", with: "/1-0-0\",\"unplanned\":true,")
    }

    @Test("validate shows allowed lines, which are neither valid nor a failure")
    func validate() async throws {
        let file = try lines()
        let result = try await trackctl(["validate", "--schemas", folder("plan"), file])
        #expect(result.exitCode == 0, "\(result.text)\(result.stderr)")
        #expect(
            result.text.contains(
                "\n\nunplanned, allowed by unplanned.json, not checked: promo-shown/1-0-0 (2 lines)\n"),
            "\(result.text)")
        let json = try await trackctl(["validate", "--schemas", folder("plan"), file, "--format", "json"])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any])
        #expect(["lines", "valid", "invalid", "unplanned"].map { report[$0] as? Int } == [3, 1, 0, 2])
        let input = try #require((report["inputs"] as? [[String: Any]])?.first)
        #expect(["lines", "valid", "invalid", "unplanned"].map { input[$0] as? Int } == [3, 1, 0, 2])
    }

    @Test("validate still finds unplanned events that the plan doesn't allow")
    func unknown() async throws {
        let file = try lines(Self.marked(PlannedLine(name: "other", value: "{}")))
        let result = try await trackctl(["validate", "--schemas", folder("plan"), file])
        #expect(result.exitCode == 1)
        #expect(
            result.text.contains("unknown-event: other/1-0-0: /schema: the plan has no event other"), "\(result.text)")
        #expect(!result.text.contains("invalid-container"))
    }

    @Test("coverage lists the allowed events with their lines, and its percentages are unchanged")
    func coverage() async throws {
        let file = try lines()
        let result = try await trackctl(["coverage", "--schemas", folder("plan"), file])
        #expect(
            result.text.contains(
                """

                allowed without a schema in the logs (not counted):
                  promo-shown: 2 lines, until 2999-12-31
                  beta: 0 lines

                """), "\(result.text)")
        let json = try await trackctl(["coverage", "--schemas", folder("plan"), file, "--json"])
        #expect(
            json.text.contains(
                """
                "unplanned":[{"event":"promo-shown","lines":2,"until":"2999-12-31"},{"event":"beta","lines":0,"until":null}]
                """), "\(json.text)")
        let alone = try await trackctl([
            "coverage", "--schemas", folder("plan"), try folder.file("b.jsonl", [PlannedLine()].text), "--json",
        ])
        let (report, other) = (try Self.logs(json.text), try Self.logs(alone.text))
        for name in ["seen", "total", "invalid"] {
            #expect(report[name] as? Int != nil && report[name] as? Int == other[name] as? Int, "\(name)")
        }
        let whole = try await trackctl([
            "coverage", "--schemas", TrackctlValidateTests.schemas, folder("b.jsonl"), "--json",
        ])
        #expect(try Self.logs(whole.text)["unplanned"] is NSNull)
    }

    private static func logs(_ json: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return try #require(object?["logs"] as? [String: Any])
    }

    @Test("lint notes each event, and fails after the last day of one")
    func lint() async throws {
        let noted = try await trackctl(["schema", "lint", folder("plan")])
        #expect(noted.exitCode == 0)
        let location = "\(folder("plan"))/unplanned.json"
        #expect(
            noted.text == """
                \(location):1:33: note: promo-shown is allowed without a schema until 2999-12-31 [unplanned-event]
                \(location):2:10: note: beta is allowed without a schema [unplanned-event]

                """)
        let annotations = try await trackctl(["schema", "lint", folder("plan"), "--format", "github"])
        #expect(annotations.text.hasPrefix("::notice file="))
        try write("2020-01-31")
        let past = try await trackctl(["schema", "lint", folder("plan"), "--format", "json"])
        #expect(past.exitCode == 1)
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(past.text.utf8)) as? [String: [[String: Any]]])
        #expect(report["findings"]?.map { $0["severity"] as? String } == ["error"])
        #expect(report["findings"]?.map { $0["pointer"] as? String } == ["/x-unplanned/promo-shown/until"])
        #expect(report["notes"]?.map { $0["pointer"] as? String } == ["/x-unplanned/beta"])
    }
}
