import CommandRunner
import Foundation
import Testing

@Suite("trackctl new event --purpose")
struct TrackctlNewPurposeTests {
    private let package: ShopPackage

    init() throws { package = try ShopPackage() }

    private func rejects(
        _ arguments: String..., status: Int32, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try package.files()
        let result = try await package.run(arguments)
        #expect(result.stderr == "trackctl: \(message)\n", sourceLocation: sourceLocation)
        #expect(result.exitCode == status && result.text == "", sourceLocation: sourceLocation)
        #expect(try package.files() == before, sourceLocation: sourceLocation)
    }

    @Test("--purpose writes the purpose to the schema, and the list of purposes if the types are files")
    func purpose() async throws {
        let package = try ShopPackage(makesTypes: false)
        let first = try await package.new(
            "event", "ad-seen", "--purpose", "ads", "--description", "An ad was seen.", "--access", "public")
        #expect(first.stderr == "")
        #expect(
            try package.text("Schemas/events/ad-seen/1-0-0.json").contains(
                "  \"description\": \"An ad was seen.\",\n  \"x-purpose\": \"ads\",\n  \"type\": \"object\",\n"))
        #expect(first.lines.contains("new     Sources/Shop/Events/Purpose+Plan.swift"))
        #expect(
            try package.text("Sources/Shop/Events/AdSeen.swift").contains("public static let purpose: Purpose = .ads\n")
        )
        #expect(try package.text("Schemas/README.md").contains("\n\nPurpose: ads\n"))
        // The list keeps its access level, and is not changed without a new purpose.
        let second = try await package.new(
            "event", "research-joined", "--purpose", "user-research", "--property", "yes:boolean")
        #expect(second.stderr == "")
        let list = try package.text("Sources/Shop/Events/Purpose+Plan.swift")
        #expect(list.contains("    public nonisolated static let userResearch: Purpose = \"user-research\"\n"))
        #expect(list.contains("planned: [Purpose] = [.analytics, .ads, .userResearch]\n"))
        #expect(try await package.new("event", "log-out", "--purpose", "analytics").stderr == "")
        #expect(try package.text("Sources/Shop/Events/Purpose+Plan.swift") == list)
        #expect(!(try package.text("Schemas/events/log-out/1-0-0.json").contains("purpose")))
        let schemas = package.folder.path("Schemas")
        #expect(try await trackctl(["schema", "docs", schemas, "--check"]).exitCode == 0)
    }

    @Test("An exempt event needs a justification, or gets a placeholder that lint reports")
    func exempt() async throws {
        let described = ["--description", "It was locked.", "--purpose", "exempt"]
        let justified = try await package.run(
            ["event", "account-locked"] + described + ["--justification", "Detects  stolen\naccounts."])
        #expect(justified.stderr == "" && !justified.text.contains("placeholder"))
        #expect(
            try package.text("Sources/Shop/Schemas/events/account-locked/1-0-0.json").contains(
                """
                  "x-purpose": "exempt",
                  "x-purpose-justification": "Detects stolen accounts.",

                """))
        let schemas = package.folder.path("Sources/Shop/Schemas")
        #expect(try await trackctl(["schema", "lint", schemas]).exitCode == 0)
        let bare = try await package.run(["event", "account-opened"] + described)
        #expect(bare.text.contains("next    replace the placeholder descriptions in "))
        let linted = try await trackctl(["schema", "lint", schemas])
        #expect(
            linted.text.hasSuffix(
                ":7:30: replace the placeholder with a justification [placeholder-description]\n"), "\(linted.text)")
        #expect(linted.lines.count == 1)
    }

    @Test("Purposes in another form, reserved ones, and a justification without exempt")
    func purposes() async throws {
        try await rejects("event", "a", "--purpose", "Ads", status: 64, "invalid purpose 'Ads': did you mean ads?")
        try await rejects(
            "event", "a", "--purpose", "1", status: 64,
            "invalid purpose '1': use a-z, 0-9 and single hyphens, and start with a letter, such as ads")
        try await rejects(
            "event", "a", "--purpose", String(repeating: "a", count: 65), status: 64,
            "invalid purpose '\(String(repeating: "a", count: 65))': use at most 64 characters")
        try await rejects(
            "event", "a", "--purpose", "planned", status: 64,
            "the purpose 'planned' is reserved in Swift: choose another name")
        try await rejects(
            "event", "a", "--purpose", "ads", "--justification", "Why not.", status: 64,
            "only events of the purpose exempt have a justification: remove it from 'ads'")
        try await rejects(
            "event", "a", "--justification", "Why not.", status: 64,
            "only events of the purpose exempt have a justification: remove it from 'analytics'")
        try await rejects(
            "event", "a", "--purpose", "exempt", "--justification", "Needed", status: 65,
            """
            the schema generated from the built-in event.json.template breaks rules of the plan:
              /x-purpose-justification: write why the event is strictly necessary, in a sentence [purpose-justified]
            """)
    }

    @Test("A sixteenth purpose, and one with the Swift name of another")
    func purposesOfPlan() async throws {
        for number in 1...14 {
            try package.write(
                """
                {"x-purpose": "p\(number + 10)", "type": "object", "required": ["name"], "additionalProperties": false,
                 "properties": {"name": {"const": "e\(number)"}}}
                """, to: "Sources/Shop/Schemas/events/e\(number)/1-0-0.json")
        }
        try await rejects(
            "event", "a", "--purpose", "q", status: 64,
            """
            the plan has 15 purposes, and at most 15 are allowed: use one of analytics, p11, p12, p13, p14, p15, p16, p17, \
            p18, p19, p20, p21, p22, p23, p24 instead of q
            """)
        #expect(try await package.new("event", "a", "--purpose", "p11").exitCode == 0)
        let exempt = try await package.new("event", "b", "--purpose", "exempt", "--justification", "It is needed.")
        #expect(exempt.exitCode == 0)
        try FileManager.default.removeItem(atPath: package.folder.path("Sources/Shop/Schemas/events/e14"))
        try await rejects(
            "event", "c", "--purpose", "p-11", status: 64,
            "the purpose p-11 has the Swift name of p11: choose another name")
    }

    @Test("A template without the placeholder of the purpose")
    func purposeTemplate() async throws {
        _ = try await package.new("templates")
        let path = ".trackctl/templates/event.json.template"
        try package.write(try package.text(path).replacing("  {{purpose}}\n", with: ""), to: path)
        #expect(try await package.new("event", "log-out").exitCode == 0)
        let result = try await package.new("event", "ad-seen", "--purpose", "ads")
        #expect(result.exitCode == 65)
        #expect(
            result.stderr.hasSuffix(
                "event.json.template has another purpose than ads: add a line with only {{purpose}}\n"))
    }
}
