internal import JSONSchema

extension LintRule {
    /// Every rule, in the order of the page of rules.
    package static let all: [LintRule] = [
        notJSON, fileName, metaSchema, compiles, dialect, idPath, eventName, versionGap, sinceDate,
        described, propertyName, examplesPresent, examplesValid, goodExample, badExample,
        closedObjects, requiredDefined, typed, limitsAgree, idleKeyword, valuesFit, duplicateEnum,
        integerBounds, stringBounds, arrayBounds, patternAnchored,
        piiMarked, piiValue, piiHandling,
        unknownKeyword, unknownFormat, deadReference, unusedDefinition, exceptionRule,
    ]
}
