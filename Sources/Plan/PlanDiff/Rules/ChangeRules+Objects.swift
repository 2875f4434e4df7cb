extension ChangeRules {
    static let objects = [
        ChangeRule(
            "property-added", "`properties`", "an optional member was added to a closed object", .addition,
            reverse: "property-removed",
            because: "no old event has it, and readers ignore unknown members"),
        ChangeRule(
            "property-added-required", "`properties`, `required`", "a required member was added", .model,
            reverse: "property-removed",
            because: "no old event has it"),
        ChangeRule(
            "property-removed", "`properties`", "a closed object lost a member", .model, reverse: "property-added",
            because: "old events may have it"),
        ChangeRule(
            "property-described", "`properties`", "an open object describes another member", .model,
            reverse: "property-undescribed",
            because: "old events may have any value under that name"),
        ChangeRule(
            "property-undescribed", "`properties`", "an open object no longer describes a member", .revision,
            reverse: "property-described",
            because: "every old event is valid; readers of that member receive unexpected values"),
        ChangeRule(
            "required-added", "`required`", "a member is now required", .model, reverse: "required-removed",
            because: "old events may lack it"),
        ChangeRule(
            "required-removed", "`required`", "a member is no longer required", .revision, reverse: "required-added",
            because: "every old event is valid; readers that expect the member may not find it"),
        ChangeRule(
            "object-closed", "`additionalProperties`, `unevaluatedProperties`", "an open object was closed", .model,
            reverse: "object-opened",
            because: "old events may have additional members"),
        ChangeRule(
            "object-opened", "`additionalProperties`, `unevaluatedProperties`", "a closed object was opened", .revision,
            reverse: "object-closed",
            because: "every old event is valid; readers receive unknown members"),
        ChangeRule(
            "additional-restricted", "`additionalProperties`, `unevaluatedProperties`",
            "additional members must satisfy a schema", .model, reverse: "additional-freed",
            because: "old events may have other values"),
        ChangeRule(
            "additional-freed", "`additionalProperties`, `unevaluatedProperties`",
            "additional members may have any form", .revision, reverse: "additional-restricted",
            because: "every old event is valid; readers of additional members receive unexpected values"),
    ]
}

extension ChangeRules {
    static let members = [
        ChangeRule(
            "pattern-property-added", "`patternProperties`", "members whose names match a pattern are described",
            .model, reverse: "pattern-property-removed",
            because: "old events may have any value under such names"),
        ChangeRule(
            "pattern-property-removed", "`patternProperties`",
            "members whose names match a pattern are no longer described", .model, reverse: "pattern-property-added",
            because: "a closed object may now reject them"),
        ChangeRule(
            "property-names-restricted", "`propertyNames`", "member names must satisfy a schema", .model,
            reverse: "property-names-freed",
            because: "old events may have other names"),
        ChangeRule(
            "property-names-freed", "`propertyNames`", "members may have any name", .revision,
            reverse: "property-names-restricted",
            because: "every old event is valid; readers receive unexpected names"),
        ChangeRule(
            "dependency-added", "`dependentRequired`, `dependentSchemas`", "a member requires more", .model,
            reverse: "dependency-removed",
            because: "old events may have the member without its new requirement"),
        ChangeRule(
            "dependency-removed", "`dependentRequired`, `dependentSchemas`", "a member requires less", .revision,
            reverse: "dependency-added",
            because: "every old event is valid; readers that expect the requirement may not find it met"),
        ChangeRule(
            "min-properties-raised", "`minProperties`", "an object must have more members", .model,
            reverse: "min-properties-lowered", because: "old events may have fewer members"),
        ChangeRule(
            "min-properties-lowered", "`minProperties`", "an object may have fewer members", .addition,
            reverse: "min-properties-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-properties-lowered", "`maxProperties`", "an object must have fewer members", .model,
            reverse: "max-properties-raised", because: "old events may have more members"),
        ChangeRule(
            "max-properties-raised", "`maxProperties`", "an object may have more members", .addition,
            reverse: "max-properties-lowered",
            because: "a limit was relaxed"),
    ]
}
