extension ChangeRules {
    static let arrays = [
        ChangeRule(
            "min-items-raised", keywords: "`minItems`", change: "arrays must be longer", bump: .model,
            reverse: "min-items-lowered",
            because: "old events may have shorter arrays"),
        ChangeRule(
            "min-items-lowered", keywords: "`minItems`", change: "arrays may be shorter", bump: .addition,
            reverse: "min-items-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-items-lowered", keywords: "`maxItems`", change: "arrays must be shorter", bump: .model,
            reverse: "max-items-raised",
            because: "old events may have longer arrays"),
        ChangeRule(
            "max-items-raised", keywords: "`maxItems`", change: "arrays may be longer", bump: .addition,
            reverse: "max-items-lowered",
            because: "a limit was relaxed"),
        ChangeRule(
            "unique-added", keywords: "`uniqueItems`", change: "elements must be unique", bump: .model,
            reverse: "unique-removed",
            because: "old events may have duplicate elements"),
        ChangeRule(
            "unique-removed", keywords: "`uniqueItems`", change: "elements may repeat", bump: .revision,
            reverse: "unique-added",
            because: "every old event is valid; a reader that stores the elements as a set loses duplicates"),
        ChangeRule(
            "items-restricted", keywords: "`items`, `unevaluatedItems`", change: "elements must satisfy a schema",
            bump: .model,
            reverse: "items-freed",
            because: "old events may have other elements"),
        ChangeRule(
            "items-freed", keywords: "`items`, `unevaluatedItems`", change: "elements may have any form",
            bump: .revision,
            reverse: "items-restricted",
            because: "every old event is valid; readers of the elements receive unexpected forms"),
        ChangeRule(
            "array-closed", keywords: "`items`, `unevaluatedItems`", change: "additional elements are rejected",
            bump: .model,
            reverse: "array-opened",
            because: "old events may have additional elements"),
        ChangeRule(
            "array-opened", keywords: "`items`, `unevaluatedItems`", change: "additional elements are accepted",
            bump: .revision,
            reverse: "array-closed",
            because: "every old event is valid; readers receive elements at unknown positions"),
        ChangeRule(
            "prefix-item-added", keywords: "`prefixItems`", change: "another array position is described", bump: .model,
            reverse: "prefix-item-removed",
            because: "old events may have another value there"),
        ChangeRule(
            "prefix-item-removed", keywords: "`prefixItems`", change: "an array position is no longer described",
            bump: .model,
            reverse: "prefix-item-added",
            because: "if additional elements are rejected, old events may have one there"),
        ChangeRule(
            "contains-added", keywords: "`contains`", change: "some element must satisfy a schema", bump: .model,
            reverse: "contains-removed",
            because: "old events may lack such an element"),
        ChangeRule(
            "contains-removed", keywords: "`contains`", change: "no element needs to satisfy a schema", bump: .revision,
            reverse: "contains-added",
            because: "every old event is valid; readers that expect the element may not find it"),
        ChangeRule(
            "contains-changed", keywords: "`contains`, `minContains`, `maxContains`",
            change: "other elements, or a different number of them, are required", bump: .model,
            reverse: "contains-changed",
            because: "old events may satisfy only the old requirement"),
    ]
}

extension ChangeRules {
    static let combined = [
        ChangeRule(
            "all-of-added", keywords: "`allOf`, `$ref`", change: "values must satisfy another schema", bump: .model,
            reverse: "all-of-removed",
            because: "old events may not satisfy it"),
        ChangeRule(
            "all-of-removed", keywords: "`allOf`, `$ref`", change: "values need not satisfy a schema any more",
            bump: .revision,
            reverse: "all-of-added",
            because: "every old event is valid; readers receive values that the schema rejected"),
        ChangeRule(
            "any-of-added", keywords: "`anyOf`", change: "an alternative was added", bump: .revision,
            reverse: "any-of-removed",
            because: "every old event is valid; readers do not know the new alternative"),
        ChangeRule(
            "any-of-removed", keywords: "`anyOf`", change: "an alternative was removed", bump: .model,
            reverse: "any-of-added",
            because: "old events may use that alternative"),
        ChangeRule(
            "any-of-introduced", keywords: "`anyOf`", change: "values must satisfy an alternative", bump: .model,
            reverse: "any-of-dropped",
            because: "old events may satisfy none: `{\"minLength\": 1}` accepts every number, but no empty string"),
        ChangeRule(
            "any-of-dropped", keywords: "`anyOf`", change: "values need not satisfy an alternative", bump: .revision,
            reverse: "any-of-introduced",
            because: "every old event is valid; readers receive values outside the alternatives"),
        ChangeRule(
            "one-of-changed", keywords: "`oneOf`", change: "mutually exclusive alternatives changed", bump: .model,
            reverse: "one-of-changed",
            because: "a value that matches a second alternative is no longer valid"),
        ChangeRule(
            "not-added", keywords: "`not`", change: "some values are rejected", bump: .model, reverse: "not-removed",
            because: "old events may have such values"),
        ChangeRule(
            "not-removed", keywords: "`not`", change: "some values are no longer rejected", bump: .revision,
            reverse: "not-added",
            because: "every old event is valid; readers receive values that were rejected before"),
        ChangeRule(
            "not-changed", keywords: "`not`", change: "other values are rejected", bump: .model, reverse: "not-changed",
            because: "old events may have such values"),
        ChangeRule(
            "condition-changed", keywords: "`if`, `then`, `else`", change: "a condition or its consequence changed",
            bump: .model,
            reverse: "condition-changed",
            because: "old events may violate the new consequence"),
        ChangeRule(
            "reference-changed", keywords: "`$ref`, `$dynamicRef`",
            change: "an unresolved reference has another target",
            bump: .model, reverse: "reference-changed",
            because: "the new target may reject old events"),
    ]
}
