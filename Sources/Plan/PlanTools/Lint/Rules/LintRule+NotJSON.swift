internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let notJSON = LintRule(
        "not-json", "A schema is a JSON object",
        why: "What cannot be read describes nothing. A name that stands twice in one object is as bad: readers differ "
            + "in which of the two they keep.",
        good: .event(#""title": "sign-up""#),
        bad: .event(#""title": "sign-up""#, becomes: #""title": "sign-up", "title": "sign-in""#)
    ) { plan in
        plan.unreadable.map { LintFault($0.path, offset: $0.error.offset, "not JSON: \($0.error.reason)") }
            + plan.documents.filter { $0.document.root.kind != .object }.map {
                LintFault($0.path, offset: $0.document.root.offset, "write a JSON object: a schema of a plan is one")
            }
    }
}
