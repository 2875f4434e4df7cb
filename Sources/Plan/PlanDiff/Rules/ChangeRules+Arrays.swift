extension ChangeRules {
    static let arrays = [
        ChangeRule(
            "min-items-raised", "`minItems`", "arrays must be longer", .model, reverse: "min-items-lowered",
            because: "old events may have shorter arrays"),
        ChangeRule(
            "min-items-lowered", "`minItems`", "arrays may be shorter", .addition, reverse: "min-items-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-items-lowered", "`maxItems`", "arrays must be shorter", .model, reverse: "max-items-raised",
            because: "old events may have longer arrays"),
        ChangeRule(
            "max-items-raised", "`maxItems`", "arrays may be longer", .addition, reverse: "max-items-lowered",
            because: "a limit was relaxed"),
        ChangeRule(
            "unique-added", "`uniqueItems`", "elements must be unique", .model, reverse: "unique-removed",
            because: "old events may have duplicate elements"),
        ChangeRule(
            "unique-removed", "`uniqueItems`", "elements may repeat", .revision, reverse: "unique-added",
            because: "every old event is valid; a reader that stores the elements as a set loses duplicates"),
        ChangeRule(
            "items-restricted", "`items`, `unevaluatedItems`", "elements must satisfy a schema", .model,
            reverse: "items-freed",
            because: "old events may have other elements"),
        ChangeRule(
            "items-freed", "`items`, `unevaluatedItems`", "elements may have any form", .revision,
            reverse: "items-restricted",
            because: "every old event is valid; readers of the elements receive unexpected forms"),
        ChangeRule(
            "array-closed", "`items`, `unevaluatedItems`", "additional elements are rejected", .model,
            reverse: "array-opened",
            because: "old events may have additional elements"),
        ChangeRule(
            "array-opened", "`items`, `unevaluatedItems`", "additional elements are accepted", .revision,
            reverse: "array-closed",
            because: "every old event is valid; readers receive elements at unknown positions"),
        ChangeRule(
            "prefix-item-added", "`prefixItems`", "another array position is described", .model,
            reverse: "prefix-item-removed",
            because: "old events may have another value there"),
        ChangeRule(
            "prefix-item-removed", "`prefixItems`", "an array position is no longer described", .model,
            reverse: "prefix-item-added",
            because: "if additional elements are rejected, old events may have one there"),
        ChangeRule(
            "contains-added", "`contains`", "some element must satisfy a schema", .model,
            reverse: "contains-removed",
            because: "old events may lack such an element"),
        ChangeRule(
            "contains-removed", "`contains`", "no element needs to satisfy a schema", .revision,
            reverse: "contains-added",
            because: "every old event is valid; readers that expect the element may not find it"),
        ChangeRule(
            "contains-changed", "`contains`, `minContains`, `maxContains`",
            "other elements, or a different number of them, are required", .model, reverse: "contains-changed",
            because: "old events may satisfy only the old requirement"),
    ]
}

extension ChangeRules {
    static let combined = [
        ChangeRule(
            "all-of-added", "`allOf`, `$ref`", "values must satisfy another schema", .model, reverse: "all-of-removed",
            because: "old events may not satisfy it"),
        ChangeRule(
            "all-of-removed", "`allOf`, `$ref`", "values need not satisfy a schema any more", .revision,
            reverse: "all-of-added",
            because: "every old event is valid; readers receive values that the schema rejected"),
        ChangeRule(
            "any-of-added", "`anyOf`", "an alternative was added", .revision, reverse: "any-of-removed",
            because: "every old event is valid; readers do not know the new alternative"),
        ChangeRule(
            "any-of-removed", "`anyOf`", "an alternative was removed", .model, reverse: "any-of-added",
            because: "old events may use that alternative"),
        ChangeRule(
            "any-of-introduced", "`anyOf`", "values must satisfy an alternative", .model, reverse: "any-of-dropped",
            because: "old events may satisfy none: `{\"minLength\": 1}` accepts every number, but no empty string"),
        ChangeRule(
            "any-of-dropped", "`anyOf`", "values need not satisfy an alternative", .revision,
            reverse: "any-of-introduced",
            because: "every old event is valid; readers receive values outside the alternatives"),
        ChangeRule(
            "one-of-changed", "`oneOf`", "mutually exclusive alternatives changed", .model,
            reverse: "one-of-changed",
            because: "a value that matches a second alternative is no longer valid"),
        ChangeRule(
            "not-added", "`not`", "some values are rejected", .model, reverse: "not-removed",
            because: "old events may have such values"),
        ChangeRule(
            "not-removed", "`not`", "some values are no longer rejected", .revision, reverse: "not-added",
            because: "every old event is valid; readers receive values that were rejected before"),
        ChangeRule(
            "not-changed", "`not`", "other values are rejected", .model, reverse: "not-changed",
            because: "old events may have such values"),
        ChangeRule(
            "condition-changed", "`if`, `then`, `else`", "a condition or its consequence changed", .model,
            reverse: "condition-changed",
            because: "old events may violate the new consequence"),
        ChangeRule(
            "reference-changed", "`$ref`, `$dynamicRef`", "an unresolved reference has another target",
            .model, reverse: "reference-changed",
            because: "the new target may reject old events"),
    ]
}
