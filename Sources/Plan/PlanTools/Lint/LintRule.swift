internal import TrackingPlan

/// One thing that every schema of a plan keeps to.
package struct LintRule: Sendable {
    /// Its name in findings and exceptions, in kebab-case; never changes.
    package let id: String
    /// What holds, in a few words.
    package let title: String
    /// Why, in a sentence or two.
    package let why: String
    /// What keeps to it.
    package let good: LintExample
    /// What breaks it.
    package let bad: LintExample
    /// Finds what breaks it in a plan.
    let check: @Sendable (LintPlan) -> [LintFault]
}

extension LintRule {
    /// A rule about a folder as a whole.
    init(
        _ id: String, _ title: String, why: String, good: LintExample, bad: LintExample,
        plan check: @escaping @Sendable (LintPlan) -> [LintFault]
    ) {
        self.init(id: id, title: title, why: why, good: good, bad: bad, check: check)
    }

    /// A rule about each schema file by itself.
    init(
        _ id: String, _ title: String, why: String, good: LintExample, bad: LintExample,
        document check: @escaping @Sendable (LintDocument, SchemaNode) -> [LintFault]
    ) {
        self.init(id: id, title: title, why: why, good: good, bad: bad) { plan in
            plan.documents.flatMap { document in document.nodes.first.map { check(document, $0) } ?? [] }
        }
    }

    /// A rule about each subschema.
    init(
        _ id: String, _ title: String, why: String, good: LintExample, bad: LintExample,
        node check: @escaping @Sendable (SchemaNode, LintPlan) -> [LintFault]
    ) {
        self.init(id: id, title: title, why: why, good: good, bad: bad) { plan in
            plan.documents.flatMap { document in document.nodes.flatMap { check($0, plan) } }
        }
    }
}
