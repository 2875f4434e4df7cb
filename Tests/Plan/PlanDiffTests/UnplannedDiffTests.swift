import PlanDiff
import Testing
import TrackingPlan

@Suite("Comparing lists of unplanned events")
struct UnplannedDiffTests {
    private static func entry(_ name: String, until: String? = nil, _ description: String = "A.") -> String {
        let limit = until.map { #", "until": "\#($0)""# } ?? ""
        return #""\#(name)": {"description": "\#(description)"\#(limit)}"#
    }

    private static func folder(
        _ entries: [String]?, events: [String] = ["a"], name: String = "Schemas"
    ) -> PlanFolder {
        let schemas = events.map { event in
            let text = #"{"type": "object", "properties": {"name": {"const": "\#(event)"}}}"#
            return PlanFile(path: "events/\(event)/1-0-0.json", bytes: Array(text.utf8))
        }
        let list = entries.map {
            PlanFile(path: "unplanned.json", bytes: Array("{\"x-unplanned\": {\($0.joined(separator: ", "))}}".utf8))
        }
        return PlanFolder(name: name, files: schemas + [list].compactMap { $0 })
    }

    private static func diff(_ old: [String]?, _ new: [String]?, events: [String] = ["a"]) throws -> PlanDiff {
        try PlanDiff(folder(new, events: events), against: (folder(old, name: "old"), "old"))
    }

    @Test("Added, removed and moved entries are listed without findings")
    func changes() throws {
        let old = [
            Self.entry("promo-shown", until: "2027-01-31"), Self.entry("beta"), Self.entry("gone"),
            Self.entry("planned-now", until: "2027-01-31"), Self.entry("kept", until: "2027-02-28"),
            Self.entry("limitless", until: "2027-01-31"),
        ]
        let new = [
            Self.entry("kept", until: "2027-02-28", "Another description."), Self.entry("banner", until: "2027-03-31"),
            Self.entry("promo-shown", until: "2027-06-30"), Self.entry("beta", until: "2027-04-30"),
            Self.entry("limitless"), Self.entry("open"),
        ]
        let diff = try Self.diff(old, new, events: ["a", "planned-now"])
        #expect(diff.findingCount == 0)
        #expect(
            diff.text.hasSuffix(
                """


                unplanned event added: banner, until 2027-03-31
                unplanned event added: open, no limit
                unplanned event removed: gone, its lines are reported as unknown-event
                unplanned event removed: planned-now, it now has a schema
                unplanned event promo-shown: until 2027-01-31 -> until 2027-06-30
                unplanned event beta: no limit -> until 2027-04-30
                unplanned event limitless: until 2027-01-31 -> no limit
                """))
        #expect(
            diff.json.hasSuffix(
                """
                ,"pages":null,"unplanned":{\
                "added":[{"name":"banner","until":"2027-03-31","is_planned":false},\
                {"name":"open","until":null,"is_planned":false}],\
                "removed":[{"name":"gone","until":null,"is_planned":false},\
                {"name":"planned-now","until":"2027-01-31","is_planned":true}],\
                "moved":[{"name":"promo-shown","old_until":"2027-01-31","new_until":"2027-06-30"},\
                {"name":"beta","old_until":null,"new_until":"2027-04-30"},\
                {"name":"limitless","old_until":"2027-01-31","new_until":null}]}}
                """))
    }

    @Test("Every entry of a new or removed list is listed")
    func wholeList() throws {
        let list = [Self.entry("promo-shown", until: "2027-01-31")]
        #expect(
            try Self.diff(nil, list).text.hasSuffix("\n\nunplanned event added: promo-shown, until 2027-01-31"))
        #expect(
            try Self.diff(list, nil).text.hasSuffix(
                "\n\nunplanned event removed: promo-shown, its lines are reported as unknown-event"))
    }

    @Test("There is no comparison without lists or without an old plan, and no output without changes")
    func none() throws {
        #expect(try Self.diff(nil, nil).unplanned == nil)
        #expect(try PlanDiff(Self.folder([Self.entry("b")])).unplanned == nil)
        let same = try Self.diff([Self.entry("b")], [Self.entry("b")])
        #expect(!same.text.contains("unplanned"))
        #expect(same.json.hasSuffix(#""unplanned":{"added":[],"removed":[],"moved":[]}}"#))
    }

    @Test("Locks don't contain the list, so an entry can be removed")
    func lock() throws {
        let folder = Self.folder([Self.entry("promo-shown")])
        #expect(PlanLock(folder).text == PlanLock(Self.folder(nil)).text)
        #expect(PlanLock(folder).differences(to: Self.folder(nil)).isEmpty)
    }
}
