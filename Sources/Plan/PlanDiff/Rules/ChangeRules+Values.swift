extension ChangeRules {
    static let types = [
        ChangeRule(
            "type-widened", "`type`", "more types are accepted", .revision, reverse: "type-narrowed",
            because: "every old event is valid; readers receive an unknown type"),
        ChangeRule(
            "type-narrowed", "`type`", "fewer types are accepted", .model, reverse: "type-widened",
            because: "old events may have the removed type"),
        ChangeRule(
            "type-changed", "`type`", "other types are accepted", .model, reverse: "type-changed",
            because: "old events have the old type"),
        ChangeRule(
            "value-allowed", "`false`", "a location now accepts values", .revision,
            reverse: "value-forbidden",
            because: "every old event is valid; readers receive a value where none was possible"),
        ChangeRule(
            "value-forbidden", "`false`", "a location no longer accepts values", .model, reverse: "value-allowed",
            because: "old events may have a value there"),
    ]

    static let values = [
        ChangeRule(
            "enum-value-added", "`enum`, `const`", "a value was added to the list", .revision,
            reverse: "enum-value-removed",
            because: "every old event is valid; readers that switch over all values do not know the new one"),
        ChangeRule(
            "enum-value-removed", "`enum`, `const`", "a value was removed from the list", .model,
            reverse: "enum-value-added",
            because: "old events may have that value"),
        ChangeRule(
            "enum-introduced", "`enum`, `const`", "only listed values are accepted", .model, reverse: "enum-dropped",
            because: "old events may have other values"),
        ChangeRule(
            "enum-dropped", "`enum`, `const`", "values need not be listed", .revision, reverse: "enum-introduced",
            because: "every old event is valid; readers that switch over all values receive unknown ones"),
    ]
}

extension ChangeRules {
    static let numbers = [
        ChangeRule(
            "minimum-raised", "`minimum`, `exclusiveMinimum`", "numbers must be larger", .model,
            reverse: "minimum-lowered",
            because: "old events may have smaller numbers"),
        ChangeRule(
            "minimum-lowered", "`minimum`, `exclusiveMinimum`", "numbers may be smaller", .addition,
            reverse: "minimum-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "maximum-lowered", "`maximum`, `exclusiveMaximum`", "numbers must be smaller", .model,
            reverse: "maximum-raised",
            because: "old events may have larger numbers"),
        ChangeRule(
            "maximum-raised", "`maximum`, `exclusiveMaximum`", "numbers may be larger", .addition,
            reverse: "maximum-lowered", because: "a limit was relaxed"),
        ChangeRule(
            "multiple-narrowed", "`multipleOf`", "multipleOf was tightened", .model,
            reverse: "multiple-widened",
            because: "old events may have numbers between the new steps"),
        ChangeRule(
            "multiple-widened", "`multipleOf`", "multipleOf was relaxed", .revision,
            reverse: "multiple-narrowed",
            because: "every old event is valid; readers that count in the old steps receive numbers between them"),
        ChangeRule(
            "multiple-changed", "`multipleOf`", "multipleOf changed to an unrelated number", .model,
            reverse: "multiple-changed",
            because: "old events may have multiples of only the old number"),
    ]

    static let strings = [
        ChangeRule(
            "min-length-raised", "`minLength`", "strings must be longer", .model, reverse: "min-length-lowered",
            because: "old events may have shorter strings"),
        ChangeRule(
            "min-length-lowered", "`minLength`", "strings may be shorter", .addition, reverse: "min-length-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-length-lowered", "`maxLength`", "strings must be shorter", .model, reverse: "max-length-raised",
            because: "old events may have longer strings"),
        ChangeRule(
            "max-length-raised", "`maxLength`", "strings may be longer", .addition, reverse: "max-length-lowered",
            because: "a limit was relaxed"),
        ChangeRule(
            "pattern-added", "`pattern`", "strings must match a pattern", .model, reverse: "pattern-removed",
            because: "old events may have strings that do not match"),
        ChangeRule(
            "pattern-removed", "`pattern`", "strings need not match a pattern", .revision, reverse: "pattern-added",
            because: "every old event is valid; readers that parse the string receive other strings"),
        ChangeRule(
            "pattern-changed", "`pattern`", "strings must match another pattern", .model, reverse: "pattern-changed",
            because: "old events may match only the old pattern"),
        ChangeRule(
            "format-added", "`format`", "strings must have a format", .model, reverse: "format-removed",
            because: "old events may have strings in another format"),
        ChangeRule(
            "format-removed", "`format`", "strings need not have a format", .revision, reverse: "format-added",
            because: "every old event is valid; readers that parse the string receive other strings"),
        ChangeRule(
            "format-changed", "`format`", "strings must have another format", .model, reverse: "format-changed",
            because: "old events may have only the old format"),
    ]
}

extension ChangeRules {
    static let notes = [
        ChangeRule(
            "documentation-changed",
            "`title`, `description`, `examples`, `x-…` and every other keyword that rejects nothing",
            "documentation changed", .addition, reverse: "documentation-changed",
            isAboutValidity: false,
            because: "the same events are valid; published versions never change, so new text needs a version"),
        ChangeRule(
            "content-changed", "`contentEncoding`, `contentMediaType`, `contentSchema`",
            "the content of a string changed", .revision, reverse: "content-changed",
            isAboutValidity: false,
            because: "every old event is valid, but readers decode the string differently"),
        ChangeRule(
            "unit-added", "`x-unit`", "a number now states its unit", .addition, reverse: "unit-removed",
            isAboutValidity: false,
            because: "the same events are valid and mean the same: only the documentation was missing"),
        ChangeRule(
            "unit-removed", "`x-unit`", "a number no longer states its unit", .revision, reverse: "unit-added",
            isAboutValidity: false,
            because: "every old event is valid; readers that convert by the unit no longer find it"),
        ChangeRule(
            "unit-changed", "`x-unit`", "a number has another unit", .model, reverse: "unit-changed",
            isAboutValidity: false,
            because: "old and new values cannot be compared: 60 seconds and 60 milliseconds are the same number"),
        ChangeRule(
            "priority-changed", "`x-priority`", "an event has another priority", .addition,
            reverse: "priority-changed",
            isAboutValidity: false,
            because:
                "the same events are valid and mean the same: the priority only sets how much of the journal's limit they may "
                + "use"),
        ChangeRule(
            "personal-marked", "`x-pii`", "a value counts as personal now", .revision, reverse: "personal-unmarked",
            isAboutValidity: false,
            because: "every old event is valid; readers may have to stop passing the value on, or receive less of it"),
        ChangeRule(
            "personal-unmarked", "`x-pii`", "a value no longer counts as personal", .model,
            reverse: "personal-marked",
            isAboutValidity: false,
            because:
                "values collected as personal data stay personal: they must not be read under rules that do not protect them"
        ),
        ChangeRule(
            "personal-tightened", "`x-pii`", "less of a personal value is kept", .revision,
            reverse: "personal-loosened",
            isAboutValidity: false,
            because: "every old event is valid; readers find the value shortened, hashed or missing"),
        ChangeRule(
            "personal-loosened", "`x-pii`", "more of a personal value is kept", .model,
            reverse: "personal-tightened",
            isAboutValidity: false,
            because: "the value is now written to disk, but readers of old events relied on its absence"),
    ]
}
