extension ChangeRules {
    static let objects = [
        ChangeRule(
            "property-added", "`properties`", "an optional member was added to a closed object", .addition,
            reverse: "property-removed",
            because: "no old event has it, and a reader leaves alone what it does not know"),
        ChangeRule(
            "property-added-required", "`properties`, `required`", "a member was added that must be there", .model,
            reverse: "property-removed",
            because: "no old event has it"),
        ChangeRule(
            "property-removed", "`properties`", "a closed object lost a member", .model, reverse: "property-added",
            because: "old events may have it"),
        ChangeRule(
            "property-described", "`properties`", "an open object says what a member looks like", .model,
            reverse: "property-undescribed",
            because: "old events may have anything under that name"),
        ChangeRule(
            "property-undescribed", "`properties`", "an open object no longer says what a member looks like", .revision,
            reverse: "property-described",
            because: "every old event is valid; a reader of that member meets anything"),
        ChangeRule(
            "required-added", "`required`", "a member must be there", .model, reverse: "required-removed",
            because: "old events may lack it"),
        ChangeRule(
            "required-removed", "`required`", "a member need not be there", .revision, reverse: "required-added",
            because: "every old event is valid; a reader that counts on the member misses it"),
        ChangeRule(
            "object-closed", "`additionalProperties`, `unevaluatedProperties`", "an open object was closed", .model,
            reverse: "object-opened",
            because: "old events may have further members"),
        ChangeRule(
            "object-opened", "`additionalProperties`, `unevaluatedProperties`", "a closed object was opened", .revision,
            reverse: "object-closed",
            because: "every old event is valid; a reader meets names that no schema knows"),
        ChangeRule(
            "additional-restricted", "`additionalProperties`, `unevaluatedProperties`",
            "further members must look like something", .model, reverse: "additional-freed",
            because: "old events may have others"),
        ChangeRule(
            "additional-freed", "`additionalProperties`, `unevaluatedProperties`",
            "further members may look like anything", .revision, reverse: "additional-restricted",
            because: "every old event is valid; a reader of further members meets anything"),
    ]
}

extension ChangeRules {
    static let members = [
        ChangeRule(
            "pattern-property-added", "`patternProperties`", "members whose names match a pattern are described",
            .model, reverse: "pattern-property-removed",
            because: "old events may have anything under such names"),
        ChangeRule(
            "pattern-property-removed", "`patternProperties`",
            "members whose names match a pattern are no longer described", .model, reverse: "pattern-property-added",
            because: "in a closed object they may no longer be there"),
        ChangeRule(
            "property-names-restricted", "`propertyNames`", "names must look like something", .model,
            reverse: "property-names-freed",
            because: "old events may have other names"),
        ChangeRule(
            "property-names-freed", "`propertyNames`", "names may look like anything", .revision,
            reverse: "property-names-restricted",
            because: "every old event is valid; a reader meets names that it does not expect"),
        ChangeRule(
            "dependency-added", "`dependentRequired`, `dependentSchemas`", "one member asks for more", .model,
            reverse: "dependency-removed",
            because: "old events may have the one without the other"),
        ChangeRule(
            "dependency-removed", "`dependentRequired`, `dependentSchemas`", "one member asks for less", .revision,
            reverse: "dependency-added",
            because: "every old event is valid; a reader that counts on the other misses it"),
        ChangeRule(
            "min-properties-raised", "`minProperties`", "an object must have more members", .model,
            reverse: "min-properties-lowered", because: "old events may have fewer"),
        ChangeRule(
            "min-properties-lowered", "`minProperties`", "an object may have fewer members", .addition,
            reverse: "min-properties-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-properties-lowered", "`maxProperties`", "an object may have only fewer members", .model,
            reverse: "max-properties-raised", because: "old events may have more"),
        ChangeRule(
            "max-properties-raised", "`maxProperties`", "an object may have more members", .addition,
            reverse: "max-properties-lowered",
            because: "a limit was relaxed"),
    ]
}
