extension ChangeRules {
    static let members = [
        ChangeRule(
            "pattern-property-added", "`patternProperties`", "members whose names match a pattern are described",
            .model, reverse: "pattern-property-removed",
            #"{"type": "object"}"#, #"{"type": "object", "patternProperties": {"^a": {"type": "string"}}}"#,
            because: "old events may have anything under such names"),
        ChangeRule(
            "pattern-property-removed", "`patternProperties`",
            "members whose names match a pattern are no longer described", .model, reverse: "pattern-property-added",
            #"{"type": "object", "additionalProperties": false, "patternProperties": {"^a": {"type": "string"}}}"#,
            #"{"type": "object", "additionalProperties": false}"#,
            because: "in a closed object they may no longer be there"),
        ChangeRule(
            "property-names-restricted", "`propertyNames`", "names must look like something", .model,
            reverse: "property-names-freed",
            #"{"type": "object"}"#, #"{"type": "object", "propertyNames": {"maxLength": 8}}"#,
            because: "old events may have other names"),
        ChangeRule(
            "property-names-freed", "`propertyNames`", "names may look like anything", .revision,
            reverse: "property-names-restricted",
            #"{"type": "object", "propertyNames": {"maxLength": 8}}"#, #"{"type": "object"}"#,
            because: "every old event is valid; a reader meets names that it does not expect"),
        ChangeRule(
            "dependency-added", "`dependentRequired`, `dependentSchemas`", "one member asks for more", .model,
            reverse: "dependency-removed",
            #"{"type": "object"}"#, #"{"type": "object", "dependentRequired": {"a": ["b"]}}"#,
            because: "old events may have the one without the other"),
        ChangeRule(
            "dependency-removed", "`dependentRequired`, `dependentSchemas`", "one member asks for less", .revision,
            reverse: "dependency-added",
            #"{"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}}"#, #"{"type": "object"}"#,
            because: "every old event is valid; a reader that counts on the other misses it"),
        ChangeRule(
            "min-properties-raised", "`minProperties`", "an object must have more members", .model,
            reverse: "min-properties-lowered",
            #"{"type": "object"}"#, #"{"type": "object", "minProperties": 2}"#, because: "old events may have fewer"),
        ChangeRule(
            "min-properties-lowered", "`minProperties`", "an object may have fewer members", .addition,
            reverse: "min-properties-raised",
            #"{"type": "object", "minProperties": 2}"#, #"{"type": "object", "minProperties": 1}"#,
            because: "a limit was relaxed"),
        ChangeRule(
            "max-properties-lowered", "`maxProperties`", "an object may have only fewer members", .model,
            reverse: "max-properties-raised",
            #"{"type": "object"}"#, #"{"type": "object", "maxProperties": 2}"#, because: "old events may have more"),
        ChangeRule(
            "max-properties-raised", "`maxProperties`", "an object may have more members", .addition,
            reverse: "max-properties-lowered",
            #"{"type": "object", "maxProperties": 2}"#, #"{"type": "object", "maxProperties": 3}"#,
            because: "a limit was relaxed"),
    ]
}
