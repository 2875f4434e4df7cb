extension ChangeRules {
    static let arrays = [
        ChangeRule(
            "min-items-raised", "`minItems`", "arrays must be longer", .model, reverse: "min-items-lowered",
            because: "old events may hold shorter ones"),
        ChangeRule(
            "min-items-lowered", "`minItems`", "arrays may be shorter", .addition, reverse: "min-items-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-items-lowered", "`maxItems`", "arrays must be shorter", .model, reverse: "max-items-raised",
            because: "old events may hold longer ones"),
        ChangeRule(
            "max-items-raised", "`maxItems`", "arrays may be longer", .addition, reverse: "max-items-lowered",
            because: "a limit was relaxed"),
        ChangeRule(
            "unique-added", "`uniqueItems`", "no element may stand twice", .model, reverse: "unique-removed",
            because: "old events may hold an element twice"),
        ChangeRule(
            "unique-removed", "`uniqueItems`", "an element may stand twice", .revision, reverse: "unique-added",
            because: "every old event is valid; a reader that makes a set of the elements loses some"),
        ChangeRule(
            "items-restricted", "`items`, `unevaluatedItems`", "elements must look like something", .model,
            reverse: "items-freed",
            because: "old events may hold others"),
        ChangeRule(
            "items-freed", "`items`, `unevaluatedItems`", "elements may look like anything", .revision,
            reverse: "items-restricted",
            because: "every old event is valid; a reader of the elements meets anything"),
        ChangeRule(
            "array-closed", "`items`, `unevaluatedItems`", "no further elements are taken", .model,
            reverse: "array-opened",
            because: "old events may hold further ones"),
        ChangeRule(
            "array-opened", "`items`, `unevaluatedItems`", "further elements are taken", .revision,
            reverse: "array-closed",
            because: "every old event is valid; a reader meets elements at places that it does not know"),
        ChangeRule(
            "prefix-item-added", "`prefixItems`", "a further place in an array is described", .model,
            reverse: "prefix-item-removed",
            because: "old events may hold something else there"),
        ChangeRule(
            "prefix-item-removed", "`prefixItems`", "a place in an array is no longer described", .model,
            reverse: "prefix-item-added",
            because: "where further elements are refused, old events may hold one there"),
        ChangeRule(
            "contains-added", "`contains`", "some element must look like something", .model,
            reverse: "contains-removed",
            because: "old events may hold no such element"),
        ChangeRule(
            "contains-removed", "`contains`", "no element need look like something", .revision,
            reverse: "contains-added",
            because: "every old event is valid; a reader that looks for the element misses it"),
        ChangeRule(
            "contains-changed", "`contains`, `minContains`, `maxContains`",
            "other elements, or another number of them, must be there", .model, reverse: "contains-changed",
            because: "old events may hold the old number alone"),
    ]
}

extension ChangeRules {
    static let combined = [
        ChangeRule(
            "all-of-added", "`allOf`, `$ref`", "a further schema must be met", .model, reverse: "all-of-removed",
            because: "old events need not meet it"),
        ChangeRule(
            "all-of-removed", "`allOf`, `$ref`", "a schema need not be met any more", .revision,
            reverse: "all-of-added",
            because: "every old event is valid; a reader meets what that schema kept away"),
        ChangeRule(
            "any-of-added", "`anyOf`", "an alternative was added", .revision, reverse: "any-of-removed",
            because: "every old event is valid; a reader does not know the new alternative"),
        ChangeRule(
            "any-of-removed", "`anyOf`", "an alternative was taken away", .model, reverse: "any-of-added",
            because: "old events may be of that alternative"),
        ChangeRule(
            "any-of-introduced", "`anyOf`", "one of some schemas must be met", .model, reverse: "any-of-dropped",
            because: "old events may meet none: `{\"minLength\": 1}` takes every number, but no empty string"),
        ChangeRule(
            "any-of-dropped", "`anyOf`", "none of some schemas need be met", .revision, reverse: "any-of-introduced",
            because: "every old event is valid; a reader meets what is none of the alternatives"),
        ChangeRule(
            "one-of-changed", "`oneOf`", "alternatives that exclude each other changed", .model,
            reverse: "one-of-changed",
            because: "an alternative that grows can spoil what another took"),
        ChangeRule(
            "not-added", "`not`", "something is refused", .model, reverse: "not-removed",
            because: "old events may hold it"),
        ChangeRule(
            "not-removed", "`not`", "something is no longer refused", .revision, reverse: "not-added",
            because: "every old event is valid; a reader meets what was kept away"),
        ChangeRule(
            "not-changed", "`not`", "something else is refused", .model, reverse: "not-changed",
            because: "old events may hold it"),
        ChangeRule(
            "condition-changed", "`if`, `then`, `else`", "a condition or what follows from it changed", .model,
            reverse: "condition-changed",
            because: "old events may break what follows now"),
        ChangeRule(
            "reference-changed", "`$ref`, `$dynamicRef`", "a reference that cannot be followed here leads elsewhere",
            .model, reverse: "reference-changed",
            because: "what it leads to may refuse old events"),
    ]
}
