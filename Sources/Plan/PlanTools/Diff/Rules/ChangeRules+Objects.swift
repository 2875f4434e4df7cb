extension ChangeRules {
    static let objects = [
        ChangeRule(
            "property-added", "`properties`", "an optional member was added to a closed object", .addition,
            reverse: "property-removed",
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}}"#,
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
            because: "no old event has it, and a reader leaves alone what it does not know"),
        ChangeRule(
            "property-added-required", "`properties`, `required`", "a member was added that must be there", .model,
            reverse: "property-removed",
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}}"#,
            #"{"type": "object", "additionalProperties": false, "required": ["b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
            because: "no old event has it"),
        ChangeRule(
            "property-removed", "`properties`", "a closed object lost a member", .model, reverse: "property-added",
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}}"#,
            because: "old events may have it"),
        ChangeRule(
            "property-described", "`properties`", "an open object says what a member looks like", .model,
            reverse: "property-undescribed",
            #"{"type": "object"}"#, #"{"type": "object", "properties": {"a": {"type": "string"}}}"#,
            because: "old events may have anything under that name"),
        ChangeRule(
            "property-undescribed", "`properties`", "an open object no longer says what a member looks like", .revision,
            reverse: "property-described",
            #"{"type": "object", "properties": {"a": {"type": "string"}}}"#, #"{"type": "object"}"#,
            because: "every old event is valid; a reader of that member meets anything"),
        ChangeRule(
            "required-added", "`required`", "a member must be there", .model, reverse: "required-removed",
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}}"#,
            #"{"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "string"}}}"#,
            because: "old events may lack it"),
        ChangeRule(
            "required-removed", "`required`", "a member need not be there", .revision, reverse: "required-added",
            #"{"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "string"}}}"#,
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}}"#,
            because: "every old event is valid; a reader that counts on the member misses it"),
        ChangeRule(
            "object-closed", "`additionalProperties`, `unevaluatedProperties`", "an open object was closed", .model,
            reverse: "object-opened",
            #"{"type": "object", "properties": {"a": {"type": "string"}}}"#,
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}}"#,
            because: "old events may have further members"),
        ChangeRule(
            "object-opened", "`additionalProperties`, `unevaluatedProperties`", "a closed object was opened", .revision,
            reverse: "object-closed",
            #"{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}}}"#,
            #"{"type": "object", "additionalProperties": {"type": "string"}, "properties": {"a": {"type": "string"}}}"#,
            because: "every old event is valid; a reader meets names that no schema knows"),
        ChangeRule(
            "additional-restricted", "`additionalProperties`, `unevaluatedProperties`",
            "further members must look like something", .model, reverse: "additional-freed",
            #"{"type": "object"}"#, #"{"type": "object", "additionalProperties": {"type": "string"}}"#,
            because: "old events may have others"),
        ChangeRule(
            "additional-freed", "`additionalProperties`, `unevaluatedProperties`",
            "further members may look like anything", .revision, reverse: "additional-restricted",
            #"{"type": "object", "additionalProperties": {"type": "string"}}"#,
            #"{"type": "object", "additionalProperties": true}"#,
            because: "every old event is valid; a reader of further members meets anything"),
    ]
}
