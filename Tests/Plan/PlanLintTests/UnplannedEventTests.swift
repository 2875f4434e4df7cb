import PlanLint
import Testing
import TrackingPlan

@Suite("The rule unplanned-event")
struct UnplannedEventTests {
    private static func folder(_ events: String) -> PlanFolder {
        PlanFolder(files: [PlanFile(path: "unplanned.json", bytes: Array("{\"x-unplanned\": {\(events)}}".utf8))])
    }

    private static let promo = #""promo-shown": {"description": "A banner.", "until": "2027-01-31"}"#
    private static let beta = #""beta": {"description": "B."}"#

    private static func lint(_ events: String, today: String?) -> (findings: [String], notes: [String]) {
        let folder = folder(events)
        return (
            PlanLinter.findings(in: folder, today: today).map(\.description),
            PlanLinter.notes(in: folder, today: today).map(\.description)
        )
    }

    private static let notes = [
        "unplanned.json:1:33: promo-shown is allowed without a schema until 2027-01-31 [unplanned-event]",
        "unplanned.json:1:94: beta is allowed without a schema [unplanned-event]",
    ]

    @Test("Each event is noted up to and including its last day", arguments: [nil, "2026-11-25", "2027-01-31"])
    func notes(today: String?) {
        let found = Self.lint("\(Self.promo), \(Self.beta)", today: today)
        #expect(found.findings == [])
        #expect(found.notes == Self.notes)
    }

    @Test("An event past its last day is a finding, and the others are still noted")
    func past() {
        let found = Self.lint("\(Self.promo), \(Self.beta)", today: "2027-02-01")
        #expect(
            found.findings == [
                "unplanned.json:1:71: promo-shown was allowed without a schema until 2027-01-31: write its schema, or stop "
                    + "sending it [unplanned-event]"
            ])
        #expect(found.notes == [Self.notes[1]])
    }

    @Test("Errors in the list, and invalid JSON, are findings")
    func issues() {
        #expect(
            Self.lint(#""beta": {}"#, today: nil).findings == [
                "unplanned.json:1:26: add a description: a text that is not empty [unplanned-event]"
            ])
        #expect(Self.lint("beta", today: nil).findings.first?.hasPrefix("unplanned.json:1:18: not JSON: ") == true)
        #expect(Self.lint("beta", today: nil).notes == [])
    }
}
