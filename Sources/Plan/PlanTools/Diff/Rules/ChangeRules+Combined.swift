extension ChangeRules {
    static let combined = [
        ChangeRule(
            "all-of-added", "`allOf`, `$ref`", "a further schema must be met", .model, reverse: "all-of-removed",
            #"{"type": "integer"}"#, #"{"type": "integer", "allOf": [{"minimum": 1}]}"#,
            because: "old events need not meet it"),
        ChangeRule(
            "all-of-removed", "`allOf`, `$ref`", "a schema need not be met any more", .revision,
            reverse: "all-of-added",
            #"{"type": "integer", "allOf": [{"minimum": 1}]}"#, #"{"type": "integer"}"#,
            because: "every old event is valid; a reader meets what that schema kept away"),
        ChangeRule(
            "any-of-added", "`anyOf`", "an alternative was added", .revision, reverse: "any-of-removed",
            #"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
            #"{"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "integer"}]}"#,
            because: "every old event is valid; a reader does not know the new alternative"),
        ChangeRule(
            "any-of-removed", "`anyOf`", "an alternative was taken away", .model, reverse: "any-of-added",
            #"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, #"{"anyOf": [{"type": "string"}]}"#,
            because: "old events may be of that alternative"),
        ChangeRule(
            "any-of-introduced", "`anyOf`", "one of some schemas must be met", .model, reverse: "any-of-dropped",
            #"{"type": ["string", "integer"]}"#,
            #"{"type": ["string", "integer"], "anyOf": [{"minLength": 1}, {"type": "integer"}]}"#,
            because: "old events may meet none: `{\"minLength\": 1}` takes every number, but no empty string"),
        ChangeRule(
            "any-of-dropped", "`anyOf`", "none of some schemas need be met", .revision, reverse: "any-of-introduced",
            #"{"type": "string", "anyOf": [{"minLength": 4}, {"maxLength": 2}]}"#, #"{"type": "string"}"#,
            because: "every old event is valid; a reader meets what is none of the alternatives"),
        ChangeRule(
            "one-of-changed", "`oneOf`", "alternatives that exclude each other changed", .model,
            reverse: "one-of-changed",
            #"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#,
            #"{"oneOf": [{"type": "string", "minLength": 1}, {"type": "null", "title": "None"}]}"#,
            because: "an alternative that grows can spoil what another took"),
        ChangeRule(
            "not-added", "`not`", "something is refused", .model, reverse: "not-removed",
            #"{"type": "string"}"#, #"{"type": "string", "not": {"const": "a"}}"#,
            because: "old events may hold it"),
        ChangeRule(
            "not-removed", "`not`", "something is no longer refused", .revision, reverse: "not-added",
            #"{"type": "string", "not": {"const": "a"}}"#, #"{"type": "string"}"#,
            because: "every old event is valid; a reader meets what was kept away"),
        ChangeRule(
            "not-changed", "`not`", "something else is refused", .model, reverse: "not-changed",
            #"{"type": "string", "not": {"const": "a"}}"#, #"{"type": "string", "not": {"const": "b"}}"#,
            because: "old events may hold it"),
        ChangeRule(
            "condition-changed", "`if`, `then`, `else`", "a condition or what follows from it changed", .model,
            reverse: "condition-changed",
            #"{"type": "integer", "if": {"minimum": 10}, "then": {"multipleOf": 10}}"#,
            #"{"type": "integer", "if": {"minimum": 10}, "then": {"multipleOf": 5}, "else": {"minimum": 0}}"#,
            because: "old events may break what follows now"),
        ChangeRule(
            "reference-changed", "`$ref`, `$dynamicRef`", "a reference that cannot be followed here leads elsewhere",
            .model, reverse: "reference-changed",
            ##"{"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", "type": "string"}, "b": {"$dynamicAnchor": "b", "type": "null"}}}"##,
            ##"{"$dynamicRef": "#b", "$defs": {"a": {"$dynamicAnchor": "a", "type": "string"}, "b": {"$dynamicAnchor": "b", "type": "null"}}}"##,
            because: "what it leads to may refuse old events"),
    ]
}
