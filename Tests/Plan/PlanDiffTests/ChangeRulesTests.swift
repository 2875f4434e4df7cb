import EventModel
import Testing

@testable import PlanDiff

@Suite("Change rules")
struct ChangeRulesTests {
    private static let first = SchemaVersion(1, 0, 0)

    private static func compare(_ before: String, _ after: String, _ version: SchemaVersion) throws -> EventDiff {
        let old = TestPlan.folder([("1-0-0", TestPlan.event(before))], name: "old")
        let new = TestPlan.folder([
            ("1-0-0", TestPlan.event(before)), (version.description, TestPlan.event(after)),
        ])
        return try #require(PlanDiff(new, against: (old, "old")).events.first { $0.name == "a" })
    }

    @Test("Each rule finds its example, and its bump is enough", arguments: ChangeRules.all)
    func rightBump(_ rule: ChangeRule) throws {
        let event = try Self.compare(rule.before, rule.after, rule.bump.next(after: Self.first))
        let diff = try #require(event.comparisons.first?.diff)
        #expect(diff.changes.map(\.rule.id).contains(rule.id))
        #expect(diff.needed == rule.bump)
        #expect(event.findingCount == 0)
    }

    @Test(
        "A smaller bump is a finding with the right version", arguments: ChangeRules.all.filter { $0.bump > .revision })
    func smallerBump(_ rule: ChangeRule) throws {
        for bump in [SchemaBump.addition, .revision] where bump < rule.bump {
            let event = try Self.compare(rule.before, rule.after, bump.next(after: Self.first))
            let compared = try #require(event.comparisons.first)
            #expect(compared.diff.isTooSmall)
            #expect(event.findingCount == 1)
            #expect(compared.proposed == rule.bump.next(after: Self.first))
        }
    }

    @Test("Each reverse rule finds the reverse change", arguments: ChangeRules.all)
    func backwards(_ rule: ChangeRule) throws {
        let event = try Self.compare(rule.after, rule.before, SchemaVersion(2, 0, 0))
        #expect(event.comparisons.first?.diff.changes.map(\.rule.id).contains(rule.reverse) == true)
    }

    @Test(
        "Rules that need a model have an old event that is no longer valid",
        arguments: ChangeRules.all.filter { $0.isAboutValidity && $0.bump == .model })
    func witnesses(_ rule: ChangeRule) throws {
        let event = try Self.compare(rule.before, rule.after, SchemaVersion(2, 0, 0))
        let diff = try #require(event.comparisons.first?.diff)
        #expect(diff.basis == .witness)
        #expect(diff.changes.first { $0.rule.id == rule.id }?.witness?.side == .old)
    }

    @Test(
        "Rules that keep every old event valid are proven",
        arguments: ChangeRules.all.filter { $0.isAboutValidity && $0.bump < .model })
    func proofs(_ rule: ChangeRule) throws {
        let event = try Self.compare(rule.before, rule.after, SchemaVersion(2, 0, 0))
        #expect(event.comparisons.first?.diff.basis == .proof)
    }

    @Test("Rule ids are unique, and reverses exist")
    func names() {
        #expect(Set(ChangeRules.all.map(\.id)).count == ChangeRules.all.count)
        #expect(ChangeRules.all.filter { ChangeRules.rule($0.reverse) == nil }.isEmpty)
    }
}

extension ChangeRule: CustomTestStringConvertible {
    package var testDescription: String { id }
}
