extension ChangeRules {
    static let arrays = [
        ChangeRule(
            "min-items-raised", "`minItems`", "arrays must be longer", .model, reverse: "min-items-lowered",
            #"{"type": "array"}"#, #"{"type": "array", "minItems": 1}"#, because: "old events may hold shorter ones"),
        ChangeRule(
            "min-items-lowered", "`minItems`", "arrays may be shorter", .addition, reverse: "min-items-raised",
            #"{"type": "array", "minItems": 2}"#, #"{"type": "array", "minItems": 1}"#,
            because: "a limit was relaxed"),
        ChangeRule(
            "max-items-lowered", "`maxItems`", "arrays must be shorter", .model, reverse: "max-items-raised",
            #"{"type": "array"}"#, #"{"type": "array", "maxItems": 3}"#, because: "old events may hold longer ones"),
        ChangeRule(
            "max-items-raised", "`maxItems`", "arrays may be longer", .addition, reverse: "max-items-lowered",
            #"{"type": "array", "maxItems": 3}"#, #"{"type": "array", "maxItems": 4}"#,
            because: "a limit was relaxed"),
        ChangeRule(
            "unique-added", "`uniqueItems`", "no element may stand twice", .model, reverse: "unique-removed",
            #"{"type": "array"}"#, #"{"type": "array", "uniqueItems": true}"#,
            because: "old events may hold an element twice"),
        ChangeRule(
            "unique-removed", "`uniqueItems`", "an element may stand twice", .revision, reverse: "unique-added",
            #"{"type": "array", "uniqueItems": true}"#, #"{"type": "array"}"#,
            because: "every old event is valid; a reader that makes a set of the elements loses some"),
        ChangeRule(
            "items-restricted", "`items`, `unevaluatedItems`", "elements must look like something", .model,
            reverse: "items-freed",
            #"{"type": "array"}"#, #"{"type": "array", "items": {"type": "string"}}"#,
            because: "old events may hold others"),
        ChangeRule(
            "items-freed", "`items`, `unevaluatedItems`", "elements may look like anything", .revision,
            reverse: "items-restricted",
            #"{"type": "array", "items": {"type": "string"}}"#, #"{"type": "array"}"#,
            because: "every old event is valid; a reader of the elements meets anything"),
        ChangeRule(
            "array-closed", "`items`, `unevaluatedItems`", "no further elements are taken", .model,
            reverse: "array-opened",
            #"{"type": "array", "prefixItems": [{"type": "string"}]}"#,
            #"{"type": "array", "prefixItems": [{"type": "string"}], "items": false}"#,
            because: "old events may hold further ones"),
        ChangeRule(
            "array-opened", "`items`, `unevaluatedItems`", "further elements are taken", .revision,
            reverse: "array-closed",
            #"{"type": "array", "prefixItems": [{"type": "string"}], "items": false}"#,
            #"{"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}}"#,
            because: "every old event is valid; a reader meets elements at places that it does not know"),
        ChangeRule(
            "prefix-item-added", "`prefixItems`", "a further place in an array is described", .model,
            reverse: "prefix-item-removed",
            #"{"type": "array"}"#, #"{"type": "array", "prefixItems": [{"type": "string"}]}"#,
            because: "old events may hold something else there"),
        ChangeRule(
            "prefix-item-removed", "`prefixItems`", "a place in an array is no longer described", .model,
            reverse: "prefix-item-added",
            #"{"type": "array", "prefixItems": [{"type": "string"}], "items": false}"#,
            #"{"type": "array", "items": false}"#,
            because: "where further elements are refused, old events may hold one there"),
        ChangeRule(
            "contains-added", "`contains`", "some element must look like something", .model,
            reverse: "contains-removed",
            #"{"type": "array"}"#, #"{"type": "array", "contains": {"const": "a"}}"#,
            because: "old events may hold no such element"),
        ChangeRule(
            "contains-removed", "`contains`", "no element need look like something", .revision,
            reverse: "contains-added",
            #"{"type": "array", "contains": {"const": "a"}}"#, #"{"type": "array"}"#,
            because: "every old event is valid; a reader that looks for the element misses it"),
        ChangeRule(
            "contains-changed", "`contains`, `minContains`, `maxContains`",
            "other elements, or another number of them, must be there", .model, reverse: "contains-changed",
            #"{"type": "array", "contains": {"const": "a"}}"#,
            #"{"type": "array", "contains": {"const": "a"}, "minContains": 2, "maxContains": 3}"#,
            because: "old events may hold the old number alone"),
    ]
}
