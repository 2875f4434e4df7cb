import Testing

@testable import PlanDiff

/// Expensive schemas, with time limits far above the expected time.
@Suite("Comparison budget", .serialized)
struct DiffBudgetTests {
    @Test("Rejected objects stay within the budget", .timeLimit(.minutes(5)))
    func refusedObjects() throws {
        let diff = try TestPlan.diff(
            #"{"type": "object"}"#,
            #"{"type": "object", "not": {"enum": [{"a": [false, "ba"]}, {"a": "ba", "b": []}, {"a": "a", "aa": null}]}}"#
        )
        #expect(diff.needed == .model)
    }

    @Test("Mutually exclusive alternatives stay within the budget", .timeLimit(.minutes(5)))
    func alternatives() throws {
        let parts = ["a", "b", "c", "d", "e", "f"].map { name in
            #"{"properties": {"kind": {"const": "\#(name)"}, "\#(name)": {"type": "string"}}, "required": ["kind", "\#(name)"]}"#
        }
        let diff = try TestPlan.diff(
            #"{"type": "object"}"#, #"{"type": "object", "oneOf": [\#(parts.joined(separator: ","))]}"#)
        #expect(diff.needed == .model)
        #expect(diff.basis == .witness)
    }

    @Test("Long lists do not exhaust the budget", .timeLimit(.minutes(5)))
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
        "Counts up to the largest are supported",
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
