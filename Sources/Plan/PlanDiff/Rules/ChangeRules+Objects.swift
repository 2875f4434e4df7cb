extension ChangeRules {
    static let objects = [
        ChangeRule(
            "property-added", keywords: "`properties`", change: "an optional member was added to a closed object",
            bump: .addition,
            reverse: "property-removed",
            because: "no old event has it, and readers ignore unknown members"),
        ChangeRule(
            "property-added-required", keywords: "`properties`, `required`", change: "a required member was added",
            bump: .model,
            reverse: "property-removed",
            because: "no old event has it"),
        ChangeRule(
            "property-removed", keywords: "`properties`", change: "a closed object lost a member", bump: .model,
            reverse: "property-added",
            because: "old events may have it"),
        ChangeRule(
            "property-described", keywords: "`properties`", change: "an open object describes another member",
            bump: .model,
            reverse: "property-undescribed",
            because: "old events may have any value under that name"),
        ChangeRule(
            "property-undescribed", keywords: "`properties`", change: "an open object no longer describes a member",
            bump: .revision,
            reverse: "property-described",
            because: "every old event is valid; readers of that member receive unexpected values"),
        ChangeRule(
            "required-added", keywords: "`required`", change: "a member is now required", bump: .model,
            reverse: "required-removed",
            because: "old events may lack it"),
        ChangeRule(
            "required-removed", keywords: "`required`", change: "a member is no longer required", bump: .revision,
            reverse: "required-added",
            because: "every old event is valid; readers that expect the member may not find it"),
        ChangeRule(
            "object-closed", keywords: "`additionalProperties`, `unevaluatedProperties`",
            change: "an open object was closed", bump: .model,
            reverse: "object-opened",
            because: "old events may have additional members"),
        ChangeRule(
            "object-opened", keywords: "`additionalProperties`, `unevaluatedProperties`",
            change: "a closed object was opened", bump: .revision,
            reverse: "object-closed",
            because: "every old event is valid; readers receive unknown members"),
        ChangeRule(
            "additional-restricted", keywords: "`additionalProperties`, `unevaluatedProperties`",
            change: "additional members must satisfy a schema", bump: .model, reverse: "additional-freed",
            because: "old events may have other values"),
        ChangeRule(
            "additional-freed", keywords: "`additionalProperties`, `unevaluatedProperties`",
            change: "additional members may have any form", bump: .revision, reverse: "additional-restricted",
            because: "every old event is valid; readers of additional members receive unexpected values"),
    ]
}

extension ChangeRules {
    static let members = [
        ChangeRule(
            "pattern-property-added", keywords: "`patternProperties`",
            change: "members whose names match a pattern are described",
            bump: .model, reverse: "pattern-property-removed",
            because: "old events may have any value under such names"),
        ChangeRule(
            "pattern-property-removed", keywords: "`patternProperties`",
            change: "members whose names match a pattern are no longer described", bump: .model,
            reverse: "pattern-property-added",
            because: "a closed object may now reject them"),
        ChangeRule(
            "property-names-restricted", keywords: "`propertyNames`", change: "member names must satisfy a schema",
            bump: .model,
            reverse: "property-names-freed",
            because: "old events may have other names"),
        ChangeRule(
            "property-names-freed", keywords: "`propertyNames`", change: "members may have any name", bump: .revision,
            reverse: "property-names-restricted",
            because: "every old event is valid; readers receive unexpected names"),
        ChangeRule(
            "dependency-added", keywords: "`dependentRequired`, `dependentSchemas`", change: "a member requires more",
            bump: .model,
            reverse: "dependency-removed",
            because: "old events may have the member without its new requirement"),
        ChangeRule(
            "dependency-removed", keywords: "`dependentRequired`, `dependentSchemas`", change: "a member requires less",
            bump: .revision,
            reverse: "dependency-added",
            because: "every old event is valid; readers that expect the requirement may not find it met"),
        ChangeRule(
            "min-properties-raised", keywords: "`minProperties`", change: "an object must have more members",
            bump: .model,
            reverse: "min-properties-lowered", because: "old events may have fewer members"),
        ChangeRule(
            "min-properties-lowered", keywords: "`minProperties`", change: "an object may have fewer members",
            bump: .addition,
            reverse: "min-properties-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-properties-lowered", keywords: "`maxProperties`", change: "an object must have fewer members",
            bump: .model,
            reverse: "max-properties-raised", because: "old events may have more members"),
        ChangeRule(
            "max-properties-raised", keywords: "`maxProperties`", change: "an object may have more members",
            bump: .addition,
            reverse: "max-properties-lowered",
            because: "a limit was relaxed"),
    ]
}
