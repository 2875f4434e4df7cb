import Testing

@testable import TrackingPlan

@Suite("The list of unplanned events")
struct UnplannedListTests {
    private static func folder(_ text: String, events: [PlanFile] = []) -> PlanFolder {
        PlanFolder(name: "App", files: events + [PlanFile(path: "unplanned.json", bytes: Array(text.utf8))])
    }

    private static func error(_ text: String) -> String? {
        do throws(PlanError) { _ = try EventPlan.standard.adding(folder(text)) } catch { return error.message }
        return nil
    }

    private static let list = """
        {"x-unplanned": {"promo-shown": {"description": "A banner.", "until": "2027-01-31"},
         "beta": {"description": "B."}}}
        """

    private static func line(_ schema: String, name: String, mark: String = #","unplanned":true"#) -> String {
        """
        {"v":1,"id":"0165cddb-1e98-7000-8000-000000000001","install_id":"install-a","seq":1,\
        "session_id":"00000000-0000-4000-8000-000000000001","user_id":"u","time":1536753247.5,\
        "schema":"\(schema)"\(mark),"event":{"name":"\(name)","value":{"banner":3}}}
        """
    }

    /// Whether the plan allows the line, and the kinds of its findings.
    private static func check(_ line: String, findings: Int = 20) throws -> (isUnplanned: Bool, kinds: [String]) {
        let plan = try CompiledPlan(EventPlan.standard.adding(folder(list)))
        var checker = LineChecker(plan, maximumFindings: findings)
        let bytes = Array(line.utf8)
        let result = bytes.withUnsafeBytes { checker.check($0) }
        #expect(!result.isValid)
        return (result.isUnplanned, result.findings.map(\.kind.rawValue))
    }

    @Test("Events keep the order of the file, and the list alone is a plan")
    func reading() throws {
        let plan = try EventPlan(Self.folder(Self.list))
        #expect(plan.unplanned?.events.map(\.name) == ["promo-shown", "beta"])
        #expect(plan.unplanned?.events.map(\.until) == ["2027-01-31", nil])
        #expect(try EventPlan.standard.adding(Self.folder(Self.list)).unplanned == plan.unplanned)
        #expect(EventPlan.standard.unplanned == nil)
        #expect(PlanFolder.belongs("unplanned.json") && !PlanFolder.belongs("other.json"))
    }

    @Test(
        "Errors have file, JSON pointer and advice",
        arguments: [
            ("[]", "write a JSON object with the member x-unplanned"),
            ("{}", "add the member x-unplanned: an object with a member for each event"),
            (
                #"{"x-unplanned": {"a": "A."}}"#,
                #"/x-unplanned/a: write an object, such as {"description": "What happened."}"#
            ),
            (
                #"{"x-unplanned": {"A_b": {"description": "A."}}}"#,
                "/x-unplanned/A_b: invalid event name 'A_b': use kebab-case, at most 64 bytes, such as promo-shown"
            ),
            (#"{"x-unplanned": {"a": {}}}"#, "/x-unplanned/a: add a description: a text that is not empty"),
            (
                #"{"x-unplanned": {"a": {"description": "A.", "until": "2027-02-30"}}}"#,
                "/x-unplanned/a/until: write a date, such as 2027-01-31"
            ),
            (
                #"{"x-unplanned": {"a": {"description": "A.", "unitl": "2027-01-31"}}}"#,
                "/x-unplanned/a/unitl: unknown member: remove it, or use one of description, until, $comment"
            ),
            (
                #"{"x-unplanned": {"search": {"description": "A."}}}"#,
                "/x-unplanned/search: search has a schema: remove it from unplanned.json"
            ),
            (
                #"{"x-unplanned": {"string": {"description": "A."}}}"#,
                "/x-unplanned/string: string cannot be a type in Swift: choose another name"
            ),
        ])
    func issues(_ text: String, _ message: String) {
        let pointer = message.hasPrefix("/") ? message : " " + message
        #expect(Self.error(text) == "App/unplanned.json: " + pointer.trimmingPrefix(" "))
    }

    @Test("A marked line is neither valid nor invalid")
    func allowed() throws {
        let line = try Self.check(Self.line("promo-shown/1-0-0", name: "promo-shown"))
        #expect(line.isUnplanned && line.kinds.isEmpty)
    }

    @Test("Unmarked lines and unlisted events are unknown")
    func unknown() throws {
        #expect(
            try Self.check(Self.line("promo-shown/1-0-0", name: "promo-shown", mark: "")) == (false, ["unknown-event"]))
        #expect(try Self.check(Self.line("other/1-0-0", name: "other")) == (false, ["unknown-event"]))
        #expect(try Self.check(Self.line("search/1-0-0", name: "search")) == (false, ["unknown-version"]))
    }

    @Test("The envelope must be valid, and the name must match the line's schema", arguments: [1, 20])
    func envelope(findings: Int) throws {
        let other = try Self.check(Self.line("promo-shown/1-0-0", name: "beta"), findings: findings)
        #expect(other == (false, ["name-mismatch"]))
        let extra = Self.line("beta/1-0-0", name: "beta", mark: #","unplanned":true,"extra":1"#)
        #expect(try Self.check(extra, findings: findings) == (false, ["invalid-container"]))
        let marked = Self.line("launch/1-0-0", name: "launch", mark: #","unplanned":1"#)
        #expect(try Self.check(marked, findings: findings).kinds.first == "invalid-container")
    }
}
