import Testing
import TrackingPlan

@Suite("Checking pages in lines")
struct PageCheckTests {
    private static func line(_ value: String) -> [UInt8] {
        Array(
            """
            {"v":1,"id":"0165cddb-1e98-7000-8000-000000000001","install_id":"install-a","seq":1,\
            "session_id":"00000000-0000-4000-8000-000000000001","user_id":"u","time":1536753247.5,\
            "schema":"page-view/1-0-0","event":{"name":"page-view","value":\(value)}}
            """.utf8)
    }

    /// The findings of a line, each with its kind, location and message. Both ways of checking must agree.
    private static func findings(_ value: String, _ pages: String?) throws -> [String] {
        let app = pages.map { PlannedPagesTests.folder($0) } ?? PlanFolder(files: [])
        var checker = LineChecker(try CompiledPlan(EventPlan.standard.adding(app)))
        let line = line(value)
        return line.withUnsafeBytes { bytes in
            let isValid = checker.validEvent(bytes) != nil
            let findings = checker.checkWithFindings(bytes).findings
            #expect(isValid == findings.isEmpty)
            for finding in findings { #expect(line[finding.offset...].first != UInt8(ascii: " ")) }
            return findings.map { "\($0.kind.rawValue) \($0.instancePath) \($0.message)" }
        }
    }

    @Test(
        "A page of the plan has no findings",
        arguments: [
            #"{"page":"basket"}"#, #"{"page":"article","additional":"x"}"#, #"{"page":"orders"}"#,
            #"{"page":"orders","additional":"2026"}"#, #"{"page":"log-in"}"#, #"{"page":"b\u0061sket"}"#,
        ])
    func planned(_ value: String) throws {
        #expect(try Self.findings(value, PlannedPagesTests.list) == [])
    }

    @Test(
        "Unknown pages and a wrong additional value are findings",
        arguments: [
            (
                #"{"page":"bakset"}"#,
                "page-not-in-plan /event/value/page the plan has no page bakset: add it to x-pages in pages.json, or "
                    + "correct its name"
            ),
            (
                #"{"page":"ada@example.org"}"#,
                "page-not-in-plan /event/value/page the plan has no such page: page names are kebab-case, such as "
                    + "order-history"
            ),
            (
                #"{"page":"article"}"#,
                "page-additional /event/value the page article requires additional (its url): send it, or set required "
                    + "to false in pages.json"
            ),
            (
                #"{"page":"basket","additional":"x"}"#,
                "page-additional /event/value/additional the page basket has no additional: add it to the page in "
                    + "pages.json, or don't send it"
            ),
        ])
    func others(_ value: String, _ finding: String) throws {
        #expect(try Self.findings(value, PlannedPagesTests.list) == [finding])
    }

    @Test("An event that violates its schema has no page findings")
    func invalid() throws {
        #expect(
            try Self.findings(#"{"page":""}"#, PlannedPagesTests.list).allSatisfy { $0.hasPrefix("invalid-event ") })
    }

    @Test("Without a list pages are not checked, and an empty list rejects every page")
    func unlisted() throws {
        #expect(try Self.findings(#"{"page":"bakset"}"#, nil) == [])
        #expect(try Self.findings(#"{"page":"basket"}"#, #"{"x-pages": {}}"#).count == 1)
    }
}
