import EventModel
import Testing

@testable import TrackingPlan

@Suite("The purposes of a plan")
struct PlanPurposesTests {
    @Test("Analytics comes first, then the others by name; exempt does not count")
    func order() {
        let purposes = PlanPurposes(["user-research", "exempt", "ads", "analytics", "ads"])
        #expect(purposes.all.map(\.name) == ["analytics", "ads", "user-research"])
        #expect(purposes.own.map(\.name) == ["ads", "user-research"])
        #expect(PlanPurposes(["exempt"] as [Purpose]).all == [.analytics])
        #expect(PlanPurposes([]).own.isEmpty)
    }

    @Test("Fifteen purposes are allowed, and each further one is an issue")
    func excess() {
        let others = (1...16).map { Purpose("p\($0 + 10)") }
        #expect(PlanPurposes(others.prefix(14) + [.exempt]).excess.isEmpty)
        let excess = PlanPurposes(others).excess
        #expect(excess.map(\.purpose.name) == ["p25", "p26"])
        #expect(
            excess.first?.message == """
                the plan has 17 purposes, and at most 15 are allowed: replace p25 by one of analytics, p11, p12, p13, p14, p15, \
                p16, p17, p18, p19, p20, p21, p22, p23, p24
                """)
    }

    @Test(
        "Swift names are in camelCase, and the members of Purpose are reserved",
        arguments: [
            ("ads", "ads"), ("user-research", "userResearch"), ("default", "default"), ("analytics", "analytics"),
            ("exempt", "exempt"), ("a-1", "a1"), ("planned", nil), ("name", nil), ("maximum-count", nil), ("init", nil),
            ("self", nil), ("hash-value", nil),
        ] as [(String, String?)])
    func names(purpose: String, name: String?) { #expect(Purpose(purpose).swiftName == name) }

    @Test("Two purposes cannot have the same Swift name")
    func clashes() {
        let issues = PlanPurposes(["a-1", "a1", "planned", "b"]).swiftIssues
        #expect(
            issues.map(\.message) == [
                "a-1 already has the Swift name a1: choose another name",
                "planned is reserved in Swift: choose another name",
            ])
        #expect(issues.map(\.purpose.name) == ["a1", "planned"])
    }

    @Test(
        "The purpose of a schema is analytics without x-purpose, or if its value is invalid",
        arguments: [
            ("{}", "analytics"), (#"{"x-purpose": "ads"}"#, "ads"), (#"{"x-purpose": "exempt"}"#, "exempt"),
            (#"{"x-purpose": "Ads"}"#, "analytics"), (#"{"x-purpose": true}"#, "analytics"),
            (#"{"properties": {"value": {"x-purpose": "ads"}}}"#, "analytics"),
        ])
    func schemas(text: String, purpose: String) throws {
        let file = PlanFile(path: "events/a/1-0-0.json", bytes: Array(text.utf8))
        #expect(try PlanSchema(file, in: PlanFolder(files: [])).purpose.name == purpose)
    }
}
