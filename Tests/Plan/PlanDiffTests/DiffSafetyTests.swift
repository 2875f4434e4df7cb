import Testing

@testable import PlanDiff

/// Pairs of schemas with undecided sets: no document of the search matches the pattern.
@Suite("Undecided comparisons")
struct DiffSafetyTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let rule: String

        init(_ old: String, _ new: String, _ rule: String) {
            self.old = old.replacing(": P", with: #": {"type": "string", "pattern": "^[0-9]{12}$"}"#)
            self.new = new.replacing(": P", with: #": {"type": "string", "pattern": "^[0-9]{12}$"}"#)
            self.rule = rule
        }

        var testDescription: String { "\(old) to \(new)" }
    }

    static let breaking = [
        Pair(
            #"{"type": "object", "unevaluatedProperties": false, "allOf": [{"properties": {"ab": P}}]}"#,
            #"{"type": "object", "unevaluatedProperties": false}"#, "all-of-removed"),
        Pair(
            #"{"type": "object", "unevaluatedProperties": false, "allOf": [{"properties": {"ab": P}}]}"#,
            #"{"type": "object", "unevaluatedProperties": false, "allOf": [{}]}"#, "property-undescribed"),
        Pair(
            #"{"type": "object", "unevaluatedProperties": false, "anyOf": [{"properties": {"ab": P}, "required": ["ab"]}, {"required": ["c"]}]}"#,
            #"{"type": "object", "unevaluatedProperties": false}"#, "any-of-dropped"),
        Pair(
            #"{"type": "object", "additionalProperties": {"type": "integer"}, "properties": {"ab": P}}"#,
            #"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "property-undescribed"),
        Pair(
            #"{"type": "object", "additionalProperties": false, "patternProperties": {"^a": P}}"#,
            #"{"type": "object", "additionalProperties": false, "patternProperties": {"^a": P}, "properties": {"ab": {"type": "integer"}}}"#,
            "property-added"),
        Pair(
            #"{"type": "object", "unevaluatedProperties": false, "allOf": [{"properties": {"ab": P}}]}"#,
            #"{"type": "object", "additionalProperties": false, "allOf": [{"properties": {"ab": P}}]}"#,
            "object-closed"),
        Pair(
            #"{"type": "object", "unevaluatedProperties": false, "allOf": [{"properties": {"ab": P}}]}"#,
            #"{"type": "object", "additionalProperties": {"type": "integer"}, "allOf": [{"properties": {"ab": P}}]}"#,
            "object-opened"),
        Pair(
            #"{"type": "object", "unevaluatedProperties": false, "allOf": [{"additionalProperties": P}]}"#,
            #"{"type": "object", "unevaluatedProperties": false, "allOf": [{}]}"#, "additional-freed"),
        Pair(
            #"{"type": "array", "unevaluatedItems": false, "minItems": 1, "contains": P}"#,
            #"{"type": "array", "unevaluatedItems": false, "minItems": 1}"#, "contains-removed"),
        Pair(
            #"{"type": "object", "unevaluatedProperties": false, "dependentSchemas": {"ab": {"properties": {"ab": P}}}}"#,
            #"{"type": "object", "unevaluatedProperties": false}"#, "dependency-removed"),
    ]

    @Test("A model is needed if a neighboring keyword may reject the change", arguments: breaking)
    func model(_ pair: Pair) throws {
        let diff = try TestPlan.diff(pair.old, pair.new)
        #expect(diff.needed == .model)
        #expect(diff.changes.contains { $0.rule.id == pair.rule && $0.needed == .model })
    }

    static let harmless = [
        Pair(
            #"{"type": "object", "properties": {"ab": P, "c": P}}"#, #"{"type": "object", "properties": {"c": P}}"#,
            "property-undescribed"),
        Pair(
            #"{"type": "object", "additionalProperties": false, "properties": {"c": P}}"#,
            #"{"type": "object", "additionalProperties": false, "properties": {"c": P, "d": P}}"#, "property-added"),
        Pair(
            #"{"type": "object", "unevaluatedProperties": false, "properties": {"c": P}}"#,
            #"{"type": "object", "unevaluatedProperties": false, "properties": {"c": P, "d": P}}"#, "property-added"),
    ]

    @Test("No model is needed without a neighboring keyword", arguments: harmless)
    func less(_ pair: Pair) throws {
        let diff = try TestPlan.diff(pair.old, pair.new)
        #expect(diff.changes.map(\.rule.id) == [pair.rule])
        #expect(diff.needed == ChangeRules.rule(pair.rule)?.bump)
    }
}
