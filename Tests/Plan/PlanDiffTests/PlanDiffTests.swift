import EventModel
import Testing
import TrackingPlan

@testable import PlanDiff

@Suite("Comparing plans")
struct PlanDiffTests {
    private static let text = TestPlan.event(#"{"type": "string"}"#)
    private static let longText = TestPlan.event(#"{"type": "string", "minLength": 1}"#)
    private static let described = TestPlan.event(#"{"type": "string", "description": "A text."}"#)

    private static func event(_ new: [(version: String, schema: String)], _ old: [(version: String, schema: String)])
        throws -> EventDiff
    {
        let diff = try PlanDiff(TestPlan.folder(new), against: (TestPlan.folder(old, name: "old"), "old"))
        return try #require(diff.events.first { $0.name == "a" })
    }

    @Test("A changed published version is a finding with the right version")
    func changedVersion() throws {
        let event = try Self.event([("1-0-0", Self.longText), ("2-0-0", Self.longText)], [("1-0-0", Self.text)])
        let issue = try #require(event.issues.first)
        #expect(event.issues.count == 1)
        #expect(issue.kind == .changed)
        #expect(issue.proposed == SchemaVersion(3, 0, 0))
        #expect(issue.diff?.changes.map(\.rule.id) == ["min-length-raised"])
    }

    @Test("Changed white space in a published version is a finding")
    func changedSpaces() throws {
        let event = try Self.event([("1-0-0", Self.text + "\n")], [("1-0-0", Self.text)])
        #expect(event.issues.map(\.kind) == [.changed])
        #expect(event.issues.first?.proposed == SchemaVersion(1, 0, 1))
    }

    @Test("Missing versions and missing events are findings")
    func vanished() throws {
        let one = try Self.event([("1-0-1", Self.described)], [("1-0-0", Self.text), ("1-0-1", Self.described)])
        #expect(one.issues.map(\.version) == [SchemaVersion(1, 0, 0)])
        let all = try Self.event([], [("1-0-0", Self.text), ("1-0-1", Self.described)])
        #expect(all.issues.map(\.kind) == [.vanished, .vanished])
        #expect(all.comparisons.isEmpty)
    }

    @Test("The published version is compared with each newer one, and new versions with their neighbors")
    func pairs() throws {
        let event = try Self.event(
            [
                ("1-0-0", Self.text), ("1-0-1", Self.described), ("2-0-0", Self.longText), ("2-0-1", Self.longText),
                ("2-0-2", Self.longText),
            ],
            [("1-0-0", Self.text), ("2-0-0", Self.longText)])
        let pairs = event.comparisons.map { "\($0.diff.old) \($0.diff.new)" }
        #expect(pairs == ["2-0-0 2-0-1", "2-0-0 2-0-2", "1-0-0 1-0-1", "1-0-1 2-0-0", "2-0-1 2-0-2"])
        #expect(event.added.map(\.description) == ["1-0-1", "2-0-1", "2-0-2"])
        #expect(event.findingCount == 0)
    }

    @Test("Without an old plan, neighboring versions are compared")
    func onePlan() throws {
        let diff = try PlanDiff(TestPlan.folder([("1-0-0", Self.text), ("1-0-1", Self.longText)]))
        let event = try #require(diff.events.first { $0.name == "a" })
        #expect(event.comparisons.map(\.diff.isTooSmall) == [true])
        #expect(event.comparisons.first?.proposed == SchemaVersion(2, 0, 0))
        #expect(diff.findingCount == 1)
    }

    @Test("The proposed version is free")
    func proposal() throws {
        let event = try Self.event(
            [("1-0-0", Self.text), ("1-0-1", Self.longText), ("2-0-0", Self.text)], [("1-0-0", Self.text)])
        #expect(event.comparisons.first?.proposed == SchemaVersion(3, 0, 0))
    }

    @Test("An event named container differs from the container")
    func container() throws {
        let event = PlanFile(path: "events/container/1-0-0.json", bytes: Array(Self.text.utf8))
        let folder = PlanFolder(
            name: "Schemas", files: [event, PlanFile(path: "container/1-0-1.json", bytes: Array("{}".utf8))])
        let diff = try PlanDiff(folder)
        #expect(diff.events.map(\.name) == ["container", "container"])
        #expect(diff.events.allSatisfy { $0.comparisons.isEmpty })
    }

    @Test("No version beyond the largest number is proposed")
    func largestVersion() throws {
        let event = try Self.event(
            [("1-2147483647-0", Self.text), ("1-2147483647-1", TestPlan.event(#"{"type": ["string", "null"]}"#))],
            [("1-2147483647-0", Self.text)])
        #expect(event.comparisons.first?.proposed == SchemaVersion(2, 0, 0))
        #expect(SchemaVersion("1-2147483647-0") != nil)
        #expect(SchemaVersion("1-2147483648-0") == nil)
        #expect(SchemaBump.addition.next(after: SchemaVersion(1, 0, 2_147_483_647)) == SchemaVersion(1, 1, 0))
        let last = SchemaVersion(2_147_483_647, 2_147_483_647, 2_147_483_647)
        #expect(SchemaBump.addition.next(after: last) == last)
    }

    @Test("A schema that moved into $defs is unchanged")
    func movedIntoDefinitions() throws {
        let before = TestPlan.event(#"{"type": "string", "minLength": 1}"#)
        let after = TestPlan.event(
            ##"{"$ref": "#/properties/value/properties/p/$defs/t", "$defs": {"t": {"type": "string", "minLength": 1}}}"##
        )
        let event = try Self.event([("1-0-0", before), ("1-0-1", after)], [("1-0-0", before)])
        let diff = try #require(event.comparisons.first?.diff)
        #expect(diff.changes.isEmpty)
        #expect(diff.needed == .none)
        #expect(diff.basis == .proof)
    }

    @Test("Personal data is found next to a reference and behind it")
    func personalBesideReference() throws {
        let before = TestPlan.event(
            ##"{"$ref": "#/properties/value/properties/p/$defs/t", "x-pii": true, "$defs": {"t": {"type": "string"}}}"##
        )
        let after = TestPlan.event(
            ##"{"$ref": "#/properties/value/properties/p/$defs/t", "$defs": {"t": {"type": "string"}}}"##)
        let event = try Self.event([("1-0-0", before), ("1-1-0", after)], [("1-0-0", before)])
        #expect(event.comparisons.first?.diff.changes.map(\.rule.id) == ["personal-unmarked"])
        #expect(event.comparisons.first?.diff.needed == .model)
    }

    @Test("The rules decide if sets are undecided and no event is found")
    func undecided() throws {
        // Both patterns match no document of the search.
        let before = TestPlan.event(#"{"type": "string", "pattern": "^q{7}z{9}$"}"#)
        let after = TestPlan.event(#"{"type": "string", "pattern": "^q{7}z{8}z$"}"#)
        let event = try Self.event([("1-0-0", before), ("1-1-0", after)], [("1-0-0", before)])
        let diff = try #require(event.comparisons.first?.diff)
        #expect(diff.basis == .rule)
        #expect(diff.openReason == "no string was found that meets the patterns")
        #expect(diff.changes.map(\.basis) == [.rule])
        #expect(diff.needed == .model)
        #expect(diff.witness == nil)
    }

    @Test("Recursive schemas are compared by search and rules")
    func recursion() throws {
        func tree(_ leaf: String) -> String {
            TestPlan.event(
                ##"{"$ref": "#/properties/value/properties/p/$defs/t", "$defs": {"t": {"type": "object", "properties": {"leaf": \##(leaf), "next": {"$ref": "#/properties/value/properties/p/$defs/t"}}}}}"##
            )
        }
        let event = try Self.event(
            [("1-0-0", tree(#"{"type": "integer"}"#)), ("1-0-1", tree(#"{"type": "integer", "minimum": 0}"#))],
            [("1-0-0", tree(#"{"type": "integer"}"#))])
        let diff = try #require(event.comparisons.first?.diff)
        #expect(diff.changes.map(\.rule.id) == ["minimum-raised"])
        #expect(diff.basis == .witness)
        #expect(diff.needed == .model)
    }

    @Test(
        "A changed priority needs an addition, and a missing one is normal",
        arguments: [
            (#""title": "a""#, #""title": "a", "x-priority": "critical""#, ["priority-changed"]),
            (#""title": "a", "x-priority": "critical""#, #""title": "a""#, ["priority-changed"]),
            (#""x-priority": "normal""#, #""x-priority": "critical""#, ["priority-changed"]),
            (#""x-priority": "critical""#, #""x-priority": "normal""#, ["priority-changed"]),
            (#""title": "a""#, #""title": "a", "x-priority": "normal""#, ["documentation-changed"]),
            (#""x-priority": "critical""#, #""x-priority": "critical""#, []),
            // Only the root schema has a priority.
            (#"{"type": "string"}"#, #"{"type": "string", "x-priority": "critical"}"#, ["documentation-changed"]),
        ] as [(String, String, [String])])
    func priority(before: String, after: String, rules: [String]) throws {
        let diff = try TestPlan.diff(TestPlan.event(before), TestPlan.event(after))
        #expect(diff.changes.map(\.rule.id) == rules)
        #expect(diff.needed == (rules.isEmpty ? .none : .addition))
        #expect(diff.basis == .proof)
    }

    @Test(
        "A changed purpose needs a model, and a missing one is analytics",
        arguments: [
            (#""title": "a""#, #""title": "a", "x-purpose": "ads""#, ["purpose-changed"], .model),
            (#""title": "a", "x-purpose": "ads""#, #""title": "a""#, ["purpose-changed"], .model),
            (#""x-purpose": "ads""#, #""x-purpose": "exempt""#, ["purpose-changed"], .model),
            (#""x-purpose": "exempt""#, #""x-purpose": "analytics""#, ["purpose-changed"], .model),
            (#""title": "a""#, #""title": "a", "x-purpose": "analytics""#, ["documentation-changed"], .addition),
            (#""x-purpose": "ads""#, #""x-purpose": "ads""#, [], .none),
            (
                #""x-purpose": "exempt", "x-purpose-justification": "It is needed.""#,
                #""x-purpose": "exempt", "x-purpose-justification": "Accounts are stolen.""#,
                ["documentation-changed"], .addition
            ),
            // Only the root schema has a purpose.
            (#"{"type": "string"}"#, #"{"type": "string", "x-purpose": "ads"}"#, ["documentation-changed"], .addition),
        ] as [(String, String, [String], SchemaBump)])
    func purpose(before: String, after: String, rules: [String], needed: SchemaBump) throws {
        let diff = try TestPlan.diff(TestPlan.event(before), TestPlan.event(after))
        #expect(diff.changes.map(\.rule.id) == rules)
        #expect(diff.needed == needed)
        #expect(diff.basis == .proof)
    }

    @Test("A new version with another purpose is a finding unless it is a new model")
    func purposeVersions() throws {
        let old = [("1-0-0", TestPlan.event(#""title": "a""#))]
        func event(_ version: String) throws -> EventDiff {
            try Self.event(old + [(version, TestPlan.event(#""title": "a", "x-purpose": "ads""#))], old)
        }
        #expect(try event("1-1-0").comparisons.map(\.proposed) == [SchemaVersion(2, 0, 0)])
        #expect(try event("1-1-0").findingCount == 1)
        #expect(try event("2-0-0").findingCount == 0)
        let change = try #require(event("1-1-0").comparisons.first?.diff.changes.first)
        #expect(change.explanation == #"x-purpose changed from none to "ads""#)
    }

    @Test("Schemas that don't compile are rejected with their location")
    func notASchema() throws {
        let error = #expect(throws: PlanError.self) {
            try Self.event(
                [("1-0-0", Self.text), ("1-0-1", TestPlan.event(#"{"type": "strng"}"#))], [("1-0-0", Self.text)])
        }
        #expect(error?.code == .notASchema)
        #expect(error?.message.hasPrefix("Schemas/events/a/1-0-1.json: ") == true)
    }
}
