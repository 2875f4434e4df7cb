extension ChangeRules {
    static let types = [
        ChangeRule(
            "type-widened", "`type`", "more types are taken", .revision, reverse: "type-narrowed",
            #"{"type": "string"}"#, #"{"type": ["string", "null"]}"#,
            because: "every old event is valid; a reader meets a type that it does not know"),
        ChangeRule(
            "type-narrowed", "`type`", "fewer types are taken", .model, reverse: "type-widened",
            #"{"type": "number"}"#, #"{"type": "integer"}"#,
            because: "old events may hold the type that is gone"),
        ChangeRule(
            "type-changed", "`type`", "other types are taken", .model, reverse: "type-changed",
            #"{"type": "string"}"#, #"{"type": "boolean"}"#,
            because: "old events hold the old type"),
        ChangeRule(
            "value-allowed", "`false`", "a place that took nothing takes values", .revision,
            reverse: "value-forbidden",
            #"{"type": "object", "properties": {"a": false}}"#, #"{"type": "object", "properties": {"a": true}}"#,
            because: "every old event is valid; a reader meets a value where none could stand"),
        ChangeRule(
            "value-forbidden", "`false`", "a place that took values takes nothing", .model, reverse: "value-allowed",
            #"{"type": "object", "properties": {"a": {"type": "string"}}}"#,
            #"{"type": "object", "properties": {"a": false}}"#,
            because: "old events may hold a value there"),
    ]

    static let values = [
        ChangeRule(
            "enum-value-added", "`enum`, `const`", "a value was added to the list", .revision,
            reverse: "enum-value-removed",
            #"{"enum": ["a", "b"]}"#, #"{"enum": ["a", "b", "c"]}"#,
            because: "every old event is valid; a reader that tells all values apart does not know the new one"),
        ChangeRule(
            "enum-value-removed", "`enum`, `const`", "a value was taken off the list", .model,
            reverse: "enum-value-added",
            #"{"enum": ["a", "b"]}"#, #"{"const": "a"}"#,
            because: "old events may hold that value"),
        ChangeRule(
            "enum-introduced", "`enum`, `const`", "only listed values are taken", .model, reverse: "enum-dropped",
            #"{"type": "string"}"#, #"{"type": "string", "enum": ["a", "b"]}"#,
            because: "old events may hold other values"),
        ChangeRule(
            "enum-dropped", "`enum`, `const`", "values need not be on a list", .revision, reverse: "enum-introduced",
            #"{"type": "string", "const": "a"}"#, #"{"type": "string"}"#,
            because: "every old event is valid; a reader that tells all values apart meets others"),
    ]
}
