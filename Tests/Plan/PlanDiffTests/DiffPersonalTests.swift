import Testing

@testable import PlanDiff

@Suite("Comparing personal data")
struct DiffPersonalTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String

        init(_ old: String, _ new: String) { (self.old, self.new) = (old, new) }

        var testDescription: String { "\(old) to \(new)" }
    }

    private static let mark = #", "x-pii": "drop""#

    /// The same schema without the mark.
    private static func unmarked(_ schema: String) -> Pair { Pair(schema, schema.replacing(mark, with: "")) }

    static let lost = [
        unmarked(#"{"type": "string", "if": {"minLength": 1}, "then": {"maxLength": 9, "x-pii": "drop"}}"#),
        unmarked(#"{"type": "array", "contains": {"type": "string", "x-pii": "drop"}}"#),
        unmarked(
            #"{"type": "object", "dependentSchemas": {"a": {"properties": {"b": {"type": "string", "x-pii": "drop"}}}}}"#
        ),
        unmarked(#"{"type": "object", "patternProperties": {"^a": {"type": "string", "x-pii": "drop"}}}"#),
        unmarked(#"{"type": "object", "additionalProperties": {"type": "string", "x-pii": "drop"}}"#),
        Pair(
            #"{"oneOf": [{"type": "string", "x-pii": "drop"}, {"type": "null"}]}"#,
            #"{"oneOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}"#),
        Pair(#"{"type": "string", "x-pii": "drop"}"#, #"{"allOf": [{"type": "string"}]}"#),
        Pair(
            #"{"anyOf": [{"type": "string", "x-pii": "drop"}, {"type": "null"}]}"#,
            #"{"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "boolean"}]}"#),
        Pair(
            #"{"type": "array", "prefixItems": [{"type": "string", "x-pii": "drop"}]}"#,
            #"{"type": "array", "items": {"type": "string"}}"#),
        Pair(
            #"{"type": "object", "additionalProperties": {"type": "string", "x-pii": "drop"}}"#,
            #"{"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string", "x-pii": "drop"}}"#
        ),
        Pair(
            #"{"type": "object", "properties": {"a": {"type": "string", "x-pii": "drop"}}}"#, #"{"type": "object"}"#),
    ]

    @Test("Removing a mark anywhere needs a model", arguments: lost)
    func findsLost(_ pair: Pair) throws {
        let diff = try TestPlan.diff(TestPlan.event(pair.old), TestPlan.event(pair.new))
        #expect(diff.needed == .model)
        #expect(diff.changes.contains { $0.rule.id == "personal-unmarked" })
    }

    static let kept = [
        Pair(
            #"{"type": "string", "maxLength": 9, "x-pii": "drop"}"#,
            ##"{"$ref": "#/properties/value/properties/p/$defs/s", "maxLength": 9, "$defs": {"s": {"type": "string", "x-pii": "drop"}}}"##
        ),
        Pair(#"{"type": "string", "x-pii": "drop"}"#, #"{"allOf": [{"type": "string", "x-pii": "drop"}]}"#),
        Pair(
            #"{"type": "array", "maxItems": 1, "items": false, "prefixItems": [{"type": "string", "x-pii": "drop"}]}"#,
            #"{"type": "array", "maxItems": 1, "items": {"type": "string", "x-pii": "drop"}}"#),
        Pair(
            #"{"type": "object", "additionalProperties": {"type": "string", "x-pii": "drop"}}"#,
            #"{"type": "object", "properties": {"a": {"type": "string", "x-pii": "drop"}}, "additionalProperties": {"type": "string", "x-pii": "drop"}}"#
        ),
    ]

    @Test("Moving a mark to another schema of the value changes nothing", arguments: kept)
    func findsKept(_ pair: Pair) throws {
        let diff = try TestPlan.diff(TestPlan.event(pair.old), TestPlan.event(pair.new))
        #expect(!diff.changes.contains { $0.rule.id.hasPrefix("personal") })
    }

    @Test("A mark on a new member of a closed object needs only the bump of the member")
    func added() throws {
        let diff = try TestPlan.diff(
            TestPlan.event(#"{"type": "object", "additionalProperties": false}"#),
            TestPlan.event(
                #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string", "x-pii": true}}}"#
            ))
        #expect(diff.changes.map(\.rule.id) == ["property-added"])
        #expect(diff.needed == .addition)
    }
}
