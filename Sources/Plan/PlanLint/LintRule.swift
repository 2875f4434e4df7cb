internal import JSONSchema

/// A rule that every schema of a plan follows.
package struct LintRule: Sendable {
    /// The id in findings and exceptions, in kebab-case. Ids never change.
    package let id: String
    /// The rule as a short sentence.
    package let title: String
    /// The reason, in one or two sentences.
    package let why: String
    /// An example that follows the rule.
    package let good: LintExample
    /// An example that breaks the rule.
    package let bad: LintExample
    /// Finds the violations in a plan.
    let check: @Sendable (LintPlan) -> [LintIssue]
}

extension LintRule {
    /// Makes a rule that checks a whole folder.
    init(
        _ id: String, _ title: String, why: String, examples good: LintExample.Kind, bad: LintExample.Kind? = nil,
        plan check: @escaping @Sendable (LintPlan) -> [LintIssue]
    ) {
        let examples = LintExample.pair(id, good: good, bad: bad ?? good)
        self.init(id: id, title: title, why: why, good: examples.good, bad: examples.bad, check: check)
    }

    /// Makes a rule that checks each schema file separately.
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

    /// Makes a rule that checks each subschema.
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
    /// Every rule, in the order of the documentation.
    package static let all: [LintRule] = [
        notJSON, fileName, metaSchema, compiles, dialect, idPath, eventName, versionGap, sinceDate,
        described, placeholderDescription, propertyName, examplesPresent, examplesValid, goodExample, badExample,
        closedObjects, requiredDefined, typed, limitsAgree, idleKeyword, valuesFit, duplicateEnum,
        integerBounds, stringBounds, arrayBounds, patternAnchored, unitValue, priorityValue,
        purposeValue, purposeJustified, purposeCount, purposeNames,
        piiMarked, piiValue, piiHandling,
        pageList, pageNames, pageNotInPlan, unplannedEvent,
        unknownKeyword, unknownFormat, deadReference, unusedDefinition, exceptionRule,
    ]
}
