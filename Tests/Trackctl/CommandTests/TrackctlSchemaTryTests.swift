import CommandRunner
import Foundation
import JSONLines
import Testing

@Suite("trackctl schema try")
struct TrackctlSchemaTryTests {
    private let folder: TrackctlFolder
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardized.path
    private static let schemas = "\(package)/Schemas"

    init() throws { folder = try TrackctlFolder() }

    private func tried(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(
            ["schema", "try"] + arguments, environment: ["TRACKING_COLLECTOR_TOKEN": StoringCollector.token])
    }

    /// Two valid searches, one without a page, and an event that the plan lacks; of two apps.
    private func lines() -> [String] {
        func line(_ seq: Int, _ event: String, app: String) -> String {
            let name = event.split(separator: "\"")[3]
            return """
                {"v":1,"id":"018f3f6e-7c1a-7c1a-8c1a-00000000000\(seq)","install_id":"install-a","seq":\(seq),\
                "session_id":"11111111-1111-4111-8111-111111111111","user_id":"u1","time":1700000000.\(seq),\
                "schema":"\(name)/1-0-0","context":{"app":"\(app)","sdk":"swift-tracking 1"},"event":\(event)}
                """
        }
        return [
            line(1, #"{"name":"search","value":{"query":"a","page":1}}"#, app: "Shop 1"),
            line(2, #"{"name":"search","value":{"query":"a"}}"#, app: "Shop 2"),
            line(3, #"{"name":"search","value":{"query":"b","page":2}}"#, app: "Shop 2"),
            line(4, #"{"name":"checkout","value":{}}"#, app: "Shop 2"),
        ]
    }

    private func file() throws -> String {
        try folder.file("a.jsonl", lines().map { $0 + "\n" }.joined())
    }

    @Test("The share of rejected events by event, by app and by rule, with samples")
    func text() async throws {
        let result = try await tried(Self.schemas, try file(), "--fail-above", "30")
        #expect(result.exitCode == 0)
        #expect(
            result.text.replacing(Self.schemas, with: "Schemas") == """
                Schemas rejects 1 of 4 events (25.00%); unplanned: 1

                event           events  rejected   share  unplanned
                search/1-0-0         3         1  33.33%          0
                checkout/1-0-0       1         0      0%          1

                app     events  rejected   share  unplanned
                Shop 2       3         1  33.33%          1
                Shop 1       1         0      0%          0

                1 × search/1-0-0: /event/value: "page" is missing
                    install-a seq 2

                """, "\(result.text)")
    }

    @Test("More rejected events than --fail-above give exit code 1", arguments: [("24.9", 1), ("25", 0), (nil, 1)])
    func failAbove(percent: String?, code: Int32) async throws {
        let input = try file()
        let result =
            if let percent { try await tried(Self.schemas, input, "--fail-above", percent) } else {
                try await tried(Self.schemas, input)
            }
        #expect(result.exitCode == code)
    }

    @Test("The JSON report has the same figures")
    func json() async throws {
        let result = try await tried(Self.schemas, try file(), "--json")
        let json = try JSONParser.parse(result.text.utf8)
        #expect(json["events"] == 4 && json["rejected"] == 1 && json["unplanned"] == 1)
        guard case .array(let rules)? = json["by_rule"], case .array(let apps)? = json["by_app"] else {
            Issue.record("\(result.text)")
            return
        }
        #expect(rules.first?["samples"] == ["install-a seq 2"])
        #expect(apps.count == 2)
    }

    @Test("Lines that the collector rejected are checked again; a draft that accepts them says so")
    func rejected() async throws {
        let collector = try StoringCollector([])
        let rejects = lines()[1...2].enumerated().map { index, line in
            """
            {"receipt":\(index + 1),"install_id":"install-a","received_at":1700000009,"rejection":{"line":2,"code":"schema",\
            "message":"no","instance_path":"","schema_path":""},"bytes":"\(Data(line.utf8).base64EncodedString())"}
            """
        }
        collector.set("/v1/rejects", rejects.map { $0 + "\n" }.joined())
        let result = try await tried(Self.schemas, "--collector", collector.url)
        #expect(result.exitCode == 1)
        #expect(result.text.contains("rejects 1 of 2 events (50.00%)"))
        #expect(result.text.contains("The collector had rejected 2 lines: the plan accepts 1 of them."))
        let other = try await tried(Self.schemas, "--collector", collector.url, "--since", "2023-11-15")
        #expect(other.exitCode == 0 && other.text.contains("rejects 0 of 0 events"), "\(other.text)")
    }

    @Test("--last selects by time, and is sent to the collector")
    func last() async throws {
        let collector = try StoringCollector([.init(1)])
        collector.set("/v1/rejects", "")
        _ = try await tried(Self.schemas, "--collector", collector.url, "--last", "7d")
        let from = try #require(collector.requests.first?.parameters["from"].flatMap { Double($0) })
        #expect(abs(Date().timeIntervalSince1970 - from - 7 * 86_400) < 300)
    }

    @Test("The page has the figures, and is not written over an input")
    func page() async throws {
        let input = try file()
        _ = try await tried(Self.schemas, input, "-o", folder("try.html"))
        let page = try String(contentsOfFile: folder("try.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!doctype html>"))
        for text in ["33.33%", "install-a seq 2", "Shop 2", "checkout/1-0-0"] { #expect(page.contains(text)) }
        let refused = try await tried(Self.schemas, input, "-o", input)
        #expect(refused.exitCode == 64 && refused.stderr.contains("is one of the inputs"))
    }

    @Test(
        "Wrong usage is explained",
        arguments: [
            (["Schemas"], "pass the folder of the plan, and an input or --collector"),
            (["Schemas", "a", "--fail-above", "101"], "--fail-above must be from 0 to 100"),
            (["Schemas", "a", "--last", "7d", "--since", "today"], "--last and --since both set the start"),
            (["Schemas", "--collector", "a"], "--collector must be a URL"),
        ])
    func usage(arguments: [String], message: String) async throws {
        let result = try await trackctl(["schema", "try"] + arguments)
        #expect(result.exitCode == 64 && result.stderr.contains(message), "\(result.stderr)")
    }
}
