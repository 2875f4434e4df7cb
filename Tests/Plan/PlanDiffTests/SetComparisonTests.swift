import Testing
import TrackingPlan

@testable import PlanDiff

/// The results of set comparisons, with their witnesses.
@Suite("Sets of values")
struct SetComparisonTests {
    /// Two schemas, a value that only the first accepts, and a value that only the second accepts; nil if there is
    /// none.
    struct Pair: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let onlyOld: String?
        let onlyNew: String?

        init(_ old: String, _ new: String, onlyOld: String? = nil, onlyNew: String? = nil) {
            self.old = old
            self.new = new
            self.onlyOld = onlyOld
            self.onlyNew = onlyNew
        }

        var testDescription: String { "\(old) and \(new)" }
    }

    static let pairs = [
        Pair(#"{"maximum": 100}"#, #"{"maximum": 50}"#, onlyOld: "51"),
        Pair(#"{"exclusiveMinimum": 0}"#, #"{"minimum": 0}"#, onlyNew: "0"),
        Pair(#"{"type": "integer"}"#, #"{"type": "number"}"#, onlyNew: "0.5"),
        Pair(#"{"type": "integer", "exclusiveMinimum": 0}"#, #"{"type": "integer", "minimum": 1}"#),
        Pair(#"{"type": "number", "multipleOf": 1}"#, #"{"type": "integer"}"#),
        Pair(
            #"{"type": "number", "multipleOf": 0.1}"#, #"{"type": "number", "multipleOf": 0.25}"#, onlyOld: "0.1",
            onlyNew: "0.25"),
        Pair(#"{"type": "integer", "minimum": 1, "maximum": 3}"#, #"{"enum": [3, 2, 1.0]}"#),
        Pair(#"{"enum": ["a", "b"]}"#, #"{"type": "string", "maxLength": 1}"#, onlyNew: #""""#),
        Pair(#"{"type": "string", "not": {"maxLength": 3}}"#, #"{"type": "string", "minLength": 4}"#),
        Pair(#"{"enum": ["ab", "cd"], "pattern": "^a"}"#, #"{"const": "ab"}"#),
        Pair(#"{"type": "boolean"}"#, #"{"enum": [true, false]}"#),
        Pair(#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, #"{"type": ["null", "string"]}"#),
        Pair(#"{"oneOf": [{"type": "number"}, {"type": "integer"}]}"#, #"{"type": "number"}"#, onlyNew: "0"),
        Pair(
            #"{"type": "object", "additionalProperties": false, "properties": {"a": true}}"#,
            #"{"type": "object", "propertyNames": {"const": "a"}}"#),
        Pair(
            #"{"type": "object", "dependentRequired": {"a": ["b"]}}"#,
            #"{"type": "object", "anyOf": [{"required": ["b"]}, {"properties": {"a": false}}]}"#),
        Pair(
            #"{"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}}"#,
            #"{"type": "object", "dependentRequired": {"a": ["b"]}}"#),
        Pair(
            #"{"type": "object", "allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}"#,
            #"{"type": "object", "properties": {"a": true}, "additionalProperties": false}"#),
        Pair(
            #"{"type": "object", "minProperties": 2}"#, #"{"type": "object", "required": ["a", "b"]}"#,
            onlyOld: #"{"b":"a","other":"a"}"#),
        Pair(
            #"{"type": "array", "prefixItems": [{"type": "string"}], "items": false, "minItems": 1}"#,
            #"{"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 1}"#),
        Pair(
            #"{"type": "array", "items": {"type": "string"}}"#,
            #"{"type": "array", "not": {"contains": {"not": {"type": "string"}}}}"#),
        Pair(
            #"{"type": "array", "items": {"const": 1}}"#, #"{"type": "array", "uniqueItems": true}"#,
            onlyOld: "[1,1]", onlyNew: #"["a"]"#),
        Pair(
            #"{"type": "array", "maxItems": 2}"#, #"{"type": "array", "contains": {"const": 7}}"#, onlyOld: "[]",
            onlyNew: #"[7,"a","a"]"#),
        Pair(#"{"const": {"a": [1, {"b": null}]}}"#, #"{"enum": [{"a": [1.0, {"b": null}]}]}"#),
        Pair(#"{"type": "string", "format": "uuid"}"#, #"{"type": "string", "format": "uuid", "title": "Id"}"#),
    ]

    @Test("Sets are compared in both directions, with the simplest witness", arguments: pairs)
    func comparison(_ pair: Pair) throws {
        let folder = TestPlan.folder([("1-0-0", pair.old), ("1-0-1", pair.new)])
        let plan = try EventPlan(folder)
        let side = PlanSide(folder, plan)
        let words = SchemaWords(plan.events.map(\.document))
        let check = WitnessCheck(
            old: try side.judge(plan.events[0]), new: try side.judge(plan.events[1]), order: words.order)
        let sets = SetComparison(
            try side.library.root(of: plan.events[0]), try side.library.root(of: plan.events[1]), words: words,
            check: check)
        #expect(sets.oldInNew.witnesses.first?.json == pair.onlyOld)
        #expect(sets.newInOld.witnesses.first?.json == pair.onlyNew)
        #expect(sets.oldInNew.isContained == (pair.onlyOld == nil))
        #expect(sets.newInOld.isContained == (pair.onlyNew == nil))
    }
}
