import Testing

@testable import PlanDiff

/// Schemas that combine much, held against a clock that is far from what they take.
@Suite("The budget of a comparison", .serialized)
struct DiffBudgetTests {
    @Test("holds for objects that are refused", .timeLimit(.minutes(5)))
    func refusedObjects() throws {
        let diff = try TestPlan.diff(
            #"{"type": "object"}"#,
            #"{"type": "object", "not": {"enum": [{"a": [false, "ba"]}, {"a": "ba", "b": []}, {"a": "a", "aa": null}]}}"#
        )
        #expect(diff.needed == .model)
    }

    @Test("holds for alternatives that exclude each other", .timeLimit(.minutes(5)))
    func alternatives() throws {
        let parts = ["a", "b", "c", "d", "e", "f"].map { name in
            #"{"properties": {"kind": {"const": "\#(name)"}, "\#(name)": {"type": "string"}}, "required": ["kind", "\#(name)"]}"#
        }
        let diff = try TestPlan.diff(
            #"{"type": "object"}"#, #"{"type": "object", "oneOf": [\#(parts.joined(separator: ","))]}"#)
        #expect(diff.needed == .model)
        #expect(diff.basis == .witness)
    }

    @Test("is not touched by long lists", .timeLimit(.minutes(5)))
    func lists() throws {
        let numbers = (0..<1000).map(String.init)
        let diff = try TestPlan.diff(
            #"{"enum": [\#(numbers.joined(separator: ","))]}"#,
            #"{"enum": [\#((numbers + ["1000"]).joined(separator: ","))]}"#)
        #expect(diff.basis == .proof)
        #expect(diff.changes.map(\.rule.id) == ["enum-value-added"])
        #expect(diff.needed == .revision)
    }

    @Test(
        "takes counts up to the largest",
        arguments: ["maxItems", "minItems", "maxProperties", "minProperties", "maxLength"])
    func largest(_ keyword: String) throws {
        let large = #"{"\#(keyword)": 9223372036854775807}"#
        let larger =
            #"{"contains": {"const": 1}, "maxContains": 9223372036854775807, "\#(keyword)": 999999999999999999}"#
        for (old, new) in [("{}", large), (large, "{}"), (large, larger), (larger, large), ("{}", larger)] {
            #expect(throws: Never.self) { try TestPlan.diff(old, new) }
        }
    }
}
