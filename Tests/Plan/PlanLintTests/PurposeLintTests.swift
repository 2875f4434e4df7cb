import Testing
import TrackingPlan

@testable import PlanLint

@Suite("Lint findings about purposes")
struct PurposeLintTests {
    private static let reason = #""x-purpose-justification": "Without it, accounts are stolen.""#

    @Test(
        "In the root schema",
        arguments: [
            (#""x-purpose": "analytics""#, []), (#""x-purpose": "ads""#, []), (#""x-purpose": "user-research""#, []),
            (#""x-purpose": "exempt", \#(reason)"#, []),
            (#""x-purpose": "exempt", "x-purpose-justification": "没有此事件就无法发现被盗账户。""#, []),
            (
                #""x-purpose": "exempt", "x-purpose-justification": "严格必要""#,
                ["purpose-justified /x-purpose-justification"]
            ),
            (#""x-purpose": "Ads""#, ["purpose-value /x-purpose"]),
            (#""x-purpose": "a__b""#, ["purpose-value /x-purpose"]),
            (#""x-purpose": """#, ["purpose-value /x-purpose"]), (#""x-purpose": null"#, ["purpose-value /x-purpose"]),
            (#""x-purpose": ["ads"]"#, ["purpose-value /x-purpose"]),
            (#""allOf": [{"x-purpose": "ads"}]"#, ["purpose-value /allOf/0/x-purpose"]),
            (#""allOf": [{"x-purpose": "exempt"}]"#, ["purpose-value /allOf/0/x-purpose"]),
            (#""x-purpose": "exempt""#, ["purpose-justified /x-purpose"]),
            (
                #""x-purpose": "exempt", "x-purpose-justification": """#,
                ["purpose-justified /x-purpose-justification"]
            ),
            (
                #""x-purpose": "exempt", "x-purpose-justification": "Strictly necessary""#,
                ["purpose-justified /x-purpose-justification"]
            ),
            (
                #""x-purpose": "exempt", "x-purpose-justification": true"#,
                ["purpose-justified /x-purpose-justification"]
            ),
            (
                #""x-purpose": "exempt", "x-purpose-justification": "TODO: describe why.""#,
                ["placeholder-description /x-purpose-justification"]
            ),
            (#""x-purpose": "ads", \#(reason)"#, ["purpose-justified /x-purpose-justification"]),
            (reason, ["purpose-justified /x-purpose-justification"]),
            (#""x-purpose": "planned""#, ["purpose-names /x-purpose"]),
        ] as [(String, [String])])
    func root(_ members: String, _ expected: [String]) {
        let findings = PlanLinter.findings(in: LintExample.member(members).folder)
        #expect(findings.map { "\($0.rule) \($0.pointer)" } == expected)
    }

    @Test("A purpose in the container's schema is a finding")
    func container() throws {
        let folder = LintExample.paths(["events/sign-up/1-0-0.json"]).folder
        let file = try #require(folder.file("container/1-0-0.json"))
        let text = String(decoding: file.bytes, as: UTF8.self)
            .replacing("\"title\":", with: "\"x-purpose\": \"exempt\", \"title\":")
        let files = folder.files.filter { $0 != file } + [PlanFile(path: file.path, bytes: Array(text.utf8))]
        let findings = PlanLinter.findings(in: PlanFolder(files: files))
        #expect(findings.map { "\($0.path) \($0.rule)" } == ["container/1-0-0.json purpose-value"])
    }

    /// A plan with one event in these versions, each with a purpose.
    private static func plan(_ purposes: [(path: String, purpose: String)]) -> PlanFolder {
        let reason = #", "x-purpose-justification": "Accounts would be stolen.""#
        let files = purposes.map { path, purpose in
            let name = path.split(separator: "/")[1]
            let text = """
                {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "\(name)", "type": "object",
                 "$id": "https://schemas.example.com/\(path)", "description": "A person signed up.",
                 "x-purpose": "\(purpose)"\(purpose == "exempt" ? reason : ""),
                 "required": ["name"], "additionalProperties": false,
                 "properties": {"name": {"const": "\(name)", "description": "The event's name."}},
                 "examples": [{"name": "\(name)"}]}
                """
            return (path: path, text: text)
        }
        return LintExample.files(files, shows: "").folder
    }

    @Test("Fifteen purposes have no findings, without exempt and old versions; the sixteenth is found in its event")
    func count() {
        let some = (1...14).map { (path: "events/e\($0)/1-0-0.json", purpose: "p\($0 + 10)") }
        let old = [(path: "events/f/1-0-0.json", purpose: "q"), (path: "events/f/2-0-0.json", purpose: "p11")]
        let exempt = [(path: "events/g/1-0-0.json", purpose: "exempt")]
        #expect(PlanLinter.findings(in: Self.plan(some + old + exempt)).map(\.description) == [])
        let newest = [(path: "events/f/3-0-0.json", purpose: "q"), (path: "events/h/1-0-0.json", purpose: "q")]
        let findings = PlanLinter.findings(in: Self.plan(some + old + exempt + newest))
        #expect(findings.map { "\($0.path) \($0.rule)" } == ["events/f/3-0-0.json purpose-count"])
        let message = "the plan has 16 purposes, and at most 15 are allowed: replace q by one of "
        #expect(findings.first?.message.hasPrefix(message) == true)
    }

    @Test("Purposes with the same Swift name are found at the later name")
    func names() {
        let plan = Self.plan([("events/a/1-0-0.json", "a1"), ("events/b/1-0-0.json", "a-1")])
        let findings = PlanLinter.findings(in: plan)
        #expect(findings.map { "\($0.path) \($0.rule)" } == ["events/a/1-0-0.json purpose-names"])
        #expect(findings.first?.message == "a-1 already has the Swift name a1: choose another name")
    }
}
