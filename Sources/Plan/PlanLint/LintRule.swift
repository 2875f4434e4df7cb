internal import JSONSchema

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
    let check: @Sendable (LintPlan) -> [LintIssue]
}

extension LintRule {
    /// A rule about a folder as a whole.
    init(
        _ id: String, _ title: String, why: String, examples good: LintExample.Kind, bad: LintExample.Kind? = nil,
        plan check: @escaping @Sendable (LintPlan) -> [LintIssue]
    ) {
        let examples = LintExample.pair(id, good: good, bad: bad ?? good)
        self.init(id: id, title: title, why: why, good: examples.good, bad: examples.bad, check: check)
    }

    /// A rule about each schema file by itself.
    init(
        _ id: String, _ title: String, why: String, examples good: LintExample.Kind, bad: LintExample.Kind? = nil,
        document check: @escaping @Sendable (LintDocument, Subschema) -> [LintIssue]
    ) {
        self.init(
            id, title, why: why, examples: good, bad: bad,
            plan: { plan in
                plan.documents.flatMap { document in document.root.map { check(document, $0) } ?? [] }
            })
    }

    /// A rule about each subschema.
    init(
        _ id: String, _ title: String, why: String, examples good: LintExample.Kind, bad: LintExample.Kind? = nil,
        node check: @escaping @Sendable (Subschema, LintPlan) -> [LintIssue]
    ) {
        self.init(
            id, title, why: why, examples: good, bad: bad,
            plan: { plan in plan.schemas.flatMap { check($0, plan) } })
    }
}

extension LintRule {
    /// Every rule, in the order of the page of rules.
    package static let all: [LintRule] = [
        notJSON, fileName, metaSchema, compiles, dialect, idPath, eventName, versionGap, sinceDate,
        described, placeholderDescription, propertyName, examplesPresent, examplesValid, goodExample, badExample,
        closedObjects, requiredDefined, typed, limitsAgree, idleKeyword, valuesFit, duplicateEnum,
        integerBounds, stringBounds, arrayBounds, patternAnchored, unitValue, priorityValue,
        piiMarked, piiValue, piiHandling,
        pageList, pageNames, pageNotInPlan, unplannedEvent,
        unknownKeyword, unknownFormat, deadReference, unusedDefinition, exceptionRule,
    ]
}
