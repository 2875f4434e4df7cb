extension ChangeRules {
    static let types = [
        ChangeRule(
            "type-widened", keywords: "`type`", change: "more types are accepted", bump: .revision,
            reverse: "type-narrowed",
            because: "every old event is valid; readers receive an unknown type"),
        ChangeRule(
            "type-narrowed", keywords: "`type`", change: "fewer types are accepted", bump: .model,
            reverse: "type-widened",
            because: "old events may have the removed type"),
        ChangeRule(
            "type-changed", keywords: "`type`", change: "other types are accepted", bump: .model,
            reverse: "type-changed",
            because: "old events have the old type"),
        ChangeRule(
            "value-allowed", keywords: "`false`", change: "a location now accepts values", bump: .revision,
            reverse: "value-forbidden",
            because: "every old event is valid; readers receive a value where none was possible"),
        ChangeRule(
            "value-forbidden", keywords: "`false`", change: "a location no longer accepts values", bump: .model,
            reverse: "value-allowed",
            because: "old events may have a value there"),
    ]

    static let values = [
        ChangeRule(
            "enum-value-added", keywords: "`enum`, `const`", change: "a value was added to the list", bump: .revision,
            reverse: "enum-value-removed",
            because: "every old event is valid; readers that switch over all values do not know the new one"),
        ChangeRule(
            "enum-value-removed", keywords: "`enum`, `const`", change: "a value was removed from the list",
            bump: .model,
            reverse: "enum-value-added",
            because: "old events may have that value"),
        ChangeRule(
            "enum-introduced", keywords: "`enum`, `const`", change: "only listed values are accepted", bump: .model,
            reverse: "enum-dropped",
            because: "old events may have other values"),
        ChangeRule(
            "enum-dropped", keywords: "`enum`, `const`", change: "values need not be listed", bump: .revision,
            reverse: "enum-introduced",
            because: "every old event is valid; readers that switch over all values receive unknown ones"),
    ]
}

extension ChangeRules {
    static let numbers = [
        ChangeRule(
            "minimum-raised", keywords: "`minimum`, `exclusiveMinimum`", change: "numbers must be larger", bump: .model,
            reverse: "minimum-lowered",
            because: "old events may have smaller numbers"),
        ChangeRule(
            "minimum-lowered", keywords: "`minimum`, `exclusiveMinimum`", change: "numbers may be smaller",
            bump: .addition,
            reverse: "minimum-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "maximum-lowered", keywords: "`maximum`, `exclusiveMaximum`", change: "numbers must be smaller",
            bump: .model,
            reverse: "maximum-raised",
            because: "old events may have larger numbers"),
        ChangeRule(
            "maximum-raised", keywords: "`maximum`, `exclusiveMaximum`", change: "numbers may be larger",
            bump: .addition,
            reverse: "maximum-lowered", because: "a limit was relaxed"),
        ChangeRule(
            "multiple-narrowed", keywords: "`multipleOf`", change: "multipleOf was tightened", bump: .model,
            reverse: "multiple-widened",
            because: "old events may have numbers between the new steps"),
        ChangeRule(
            "multiple-widened", keywords: "`multipleOf`", change: "multipleOf was relaxed", bump: .revision,
            reverse: "multiple-narrowed",
            because: "every old event is valid; readers that count in the old steps receive numbers between them"),
        ChangeRule(
            "multiple-changed", keywords: "`multipleOf`", change: "multipleOf changed to an unrelated number",
            bump: .model,
            reverse: "multiple-changed",
            because: "old events may have multiples of only the old number"),
    ]

    static let strings = [
        ChangeRule(
            "min-length-raised", keywords: "`minLength`", change: "strings must be longer", bump: .model,
            reverse: "min-length-lowered",
            because: "old events may have shorter strings"),
        ChangeRule(
            "min-length-lowered", keywords: "`minLength`", change: "strings may be shorter", bump: .addition,
            reverse: "min-length-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-length-lowered", keywords: "`maxLength`", change: "strings must be shorter", bump: .model,
            reverse: "max-length-raised",
            because: "old events may have longer strings"),
        ChangeRule(
            "max-length-raised", keywords: "`maxLength`", change: "strings may be longer", bump: .addition,
            reverse: "max-length-lowered",
            because: "a limit was relaxed"),
        ChangeRule(
            "pattern-added", keywords: "`pattern`", change: "strings must match a pattern", bump: .model,
            reverse: "pattern-removed",
            because: "old events may have strings that do not match"),
        ChangeRule(
            "pattern-removed", keywords: "`pattern`", change: "strings need not match a pattern", bump: .revision,
            reverse: "pattern-added",
            because: "every old event is valid; readers that parse the string receive other strings"),
        ChangeRule(
            "pattern-changed", keywords: "`pattern`", change: "strings must match another pattern", bump: .model,
            reverse: "pattern-changed",
            because: "old events may match only the old pattern"),
        ChangeRule(
            "format-added", keywords: "`format`", change: "strings must have a format", bump: .model,
            reverse: "format-removed",
            because: "old events may have strings in another format"),
        ChangeRule(
            "format-removed", keywords: "`format`", change: "strings need not have a format", bump: .revision,
            reverse: "format-added",
            because: "every old event is valid; readers that parse the string receive other strings"),
        ChangeRule(
            "format-changed", keywords: "`format`", change: "strings must have another format", bump: .model,
            reverse: "format-changed",
            because: "old events may have only the old format"),
    ]
}

extension ChangeRules {
    static let notes = [
        ChangeRule(
            "documentation-changed",
            keywords: "`title`, `description`, `examples`, `x-…` and every other keyword that rejects nothing",
            change: "documentation changed", bump: .addition, reverse: "documentation-changed",
            isAboutValidity: false,
            because: "the same events are valid; published versions never change, so new text needs a version"),
        ChangeRule(
            "content-changed", keywords: "`contentEncoding`, `contentMediaType`, `contentSchema`",
            change: "the content of a string changed", bump: .revision, reverse: "content-changed",
            isAboutValidity: false,
            because: "every old event is valid, but readers decode the string differently"),
        ChangeRule(
            "unit-added", keywords: "`x-unit`", change: "a number now states its unit", bump: .addition,
            reverse: "unit-removed",
            isAboutValidity: false,
            because: "the same events are valid and mean the same: only the documentation was missing"),
        ChangeRule(
            "unit-removed", keywords: "`x-unit`", change: "a number no longer states its unit", bump: .revision,
            reverse: "unit-added",
            isAboutValidity: false,
            because: "every old event is valid; readers that convert by the unit no longer find it"),
        ChangeRule(
            "unit-changed", keywords: "`x-unit`", change: "a number has another unit", bump: .model,
            reverse: "unit-changed",
            isAboutValidity: false,
            because: "old and new values cannot be compared: 60 seconds and 60 milliseconds are the same number"),
        ChangeRule(
            "priority-changed", keywords: "`x-priority`", change: "an event has another priority", bump: .addition,
            reverse: "priority-changed",
            isAboutValidity: false,
            because:
                "the same events are valid and mean the same: the priority only sets how much of the journal's limit they may "
                + "use"),
        ChangeRule(
            "purpose-changed", keywords: "`x-purpose`", change: "an event has another purpose", bump: .model,
            reverse: "purpose-changed",
            isAboutValidity: false,
            because: "people answered for the old purpose: old and new events must not be read under the same answer"),
        ChangeRule(
            "personal-marked", keywords: "`x-pii`", change: "a value counts as personal now", bump: .revision,
            reverse: "personal-unmarked",
            isAboutValidity: false,
            because: "every old event is valid; readers may have to stop passing the value on, or receive less of it"),
        ChangeRule(
            "personal-unmarked", keywords: "`x-pii`", change: "a value no longer counts as personal", bump: .model,
            reverse: "personal-marked",
            isAboutValidity: false,
            because:
                "values collected as personal data stay personal: they must not be read under rules that do not protect them"
        ),
        ChangeRule(
            "personal-tightened", keywords: "`x-pii`", change: "less of a personal value is kept", bump: .revision,
            reverse: "personal-loosened",
            isAboutValidity: false,
            because: "every old event is valid; readers find the value shortened, hashed or missing"),
        ChangeRule(
            "personal-loosened", keywords: "`x-pii`", change: "more of a personal value is kept", bump: .model,
            reverse: "personal-tightened",
            isAboutValidity: false,
            because: "the value is now written to disk, but readers of old events relied on its absence"),
    ]
}
