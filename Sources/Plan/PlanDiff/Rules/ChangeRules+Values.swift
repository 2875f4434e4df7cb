extension ChangeRules {
    static let types = [
        ChangeRule(
            "type-widened", "`type`", "more types are taken", .revision, reverse: "type-narrowed",
            because: "every old event is valid; a reader meets a type that it does not know"),
        ChangeRule(
            "type-narrowed", "`type`", "fewer types are taken", .model, reverse: "type-widened",
            because: "old events may hold the type that is gone"),
        ChangeRule(
            "type-changed", "`type`", "other types are taken", .model, reverse: "type-changed",
            because: "old events hold the old type"),
        ChangeRule(
            "value-allowed", "`false`", "a place that took nothing takes values", .revision,
            reverse: "value-forbidden",
            because: "every old event is valid; a reader meets a value where none could stand"),
        ChangeRule(
            "value-forbidden", "`false`", "a place that took values takes nothing", .model, reverse: "value-allowed",
            because: "old events may hold a value there"),
    ]

    static let values = [
        ChangeRule(
            "enum-value-added", "`enum`, `const`", "a value was added to the list", .revision,
            reverse: "enum-value-removed",
            because: "every old event is valid; a reader that tells all values apart does not know the new one"),
        ChangeRule(
            "enum-value-removed", "`enum`, `const`", "a value was taken off the list", .model,
            reverse: "enum-value-added",
            because: "old events may hold that value"),
        ChangeRule(
            "enum-introduced", "`enum`, `const`", "only listed values are taken", .model, reverse: "enum-dropped",
            because: "old events may hold other values"),
        ChangeRule(
            "enum-dropped", "`enum`, `const`", "values need not be on a list", .revision, reverse: "enum-introduced",
            because: "every old event is valid; a reader that tells all values apart meets others"),
    ]
}

extension ChangeRules {
    static let numbers = [
        ChangeRule(
            "minimum-raised", "`minimum`, `exclusiveMinimum`", "numbers must be larger", .model,
            reverse: "minimum-lowered",
            because: "old events may hold smaller ones"),
        ChangeRule(
            "minimum-lowered", "`minimum`, `exclusiveMinimum`", "numbers may be smaller", .addition,
            reverse: "minimum-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "maximum-lowered", "`maximum`, `exclusiveMaximum`", "numbers must be smaller", .model,
            reverse: "maximum-raised",
            because: "old events may hold larger ones"),
        ChangeRule(
            "maximum-raised", "`maximum`, `exclusiveMaximum`", "numbers may be larger", .addition,
            reverse: "maximum-lowered", because: "a limit was relaxed"),
        ChangeRule(
            "multiple-narrowed", "`multipleOf`", "numbers must be multiples of more", .model,
            reverse: "multiple-widened",
            because: "old events may hold numbers between the new steps"),
        ChangeRule(
            "multiple-widened", "`multipleOf`", "numbers may be multiples of less", .revision,
            reverse: "multiple-narrowed",
            because: "every old event is valid; a reader that counts in the old steps meets numbers between them"),
        ChangeRule(
            "multiple-changed", "`multipleOf`", "numbers must be multiples of something else", .model,
            reverse: "multiple-changed",
            because: "old events may hold multiples of the old step alone"),
    ]

    static let strings = [
        ChangeRule(
            "min-length-raised", "`minLength`", "strings must be longer", .model, reverse: "min-length-lowered",
            because: "old events may hold shorter ones"),
        ChangeRule(
            "min-length-lowered", "`minLength`", "strings may be shorter", .addition, reverse: "min-length-raised",
            because: "a limit was relaxed"),
        ChangeRule(
            "max-length-lowered", "`maxLength`", "strings must be shorter", .model, reverse: "max-length-raised",
            because: "old events may hold longer ones"),
        ChangeRule(
            "max-length-raised", "`maxLength`", "strings may be longer", .addition, reverse: "max-length-lowered",
            because: "a limit was relaxed"),
        ChangeRule(
            "pattern-added", "`pattern`", "strings must match a pattern", .model, reverse: "pattern-removed",
            because: "old events may hold strings that do not"),
        ChangeRule(
            "pattern-removed", "`pattern`", "strings need not match a pattern", .revision, reverse: "pattern-added",
            because: "every old event is valid; a reader that takes the string apart meets others"),
        ChangeRule(
            "pattern-changed", "`pattern`", "strings must match another pattern", .model, reverse: "pattern-changed",
            because: "old events may match the old pattern alone"),
        ChangeRule(
            "format-added", "`format`", "strings must have a format", .model, reverse: "format-removed",
            because: "old events may hold strings that have not"),
        ChangeRule(
            "format-removed", "`format`", "strings need not have a format", .revision, reverse: "format-added",
            because: "every old event is valid; a reader that parses the string meets others"),
        ChangeRule(
            "format-changed", "`format`", "strings must have another format", .model, reverse: "format-changed",
            because: "old events may have the old format alone"),
    ]
}

extension ChangeRules {
    static let notes = [
        ChangeRule(
            "documentation-changed",
            "`title`, `description`, `examples`, `x-…` and every other keyword that refuses nothing",
            "words changed", .addition, reverse: "documentation-changed",
            isAboutValidity: false,
            because: "the same events are valid; as a published version never changes, new words are a new version"),
        ChangeRule(
            "content-changed", "`contentEncoding`, `contentMediaType`, `contentSchema`",
            "what a string holds changed", .revision, reverse: "content-changed",
            isAboutValidity: false,
            because: "no event becomes invalid by it, but a reader decodes the string by it"),
        ChangeRule(
            "unit-added", "`x-unit`", "a number says its unit now", .addition, reverse: "unit-removed",
            isAboutValidity: false,
            because: "the same events are valid, and mean the same: the unit was only not written down"),
        ChangeRule(
            "unit-removed", "`x-unit`", "a number no longer says its unit", .revision, reverse: "unit-added",
            isAboutValidity: false,
            because: "every old event is valid; a reader that converts by the unit no longer finds it"),
        ChangeRule(
            "unit-changed", "`x-unit`", "a number has another unit", .model, reverse: "unit-changed",
            isAboutValidity: false,
            because: "old and new values cannot be compared: 60 seconds and 60 milliseconds are the same number"),
        ChangeRule(
            "priority-changed", "`x-priority`", "an event has another priority", .addition,
            reverse: "priority-changed",
            isAboutValidity: false,
            because:
                "the same events are valid, and mean the same: the priority only says how much of the journal's limit they may "
                + "use"),
        ChangeRule(
            "personal-marked", "`x-pii`", "a value counts as personal now", .revision, reverse: "personal-unmarked",
            isAboutValidity: false,
            because: "every old event is valid; a reader may no longer pass the value on as it did, or gets less of it"),
        ChangeRule(
            "personal-unmarked", "`x-pii`", "a value no longer counts as personal", .model,
            reverse: "personal-marked",
            isAboutValidity: false,
            because:
                "values that were collected as personal stay personal: they must not be read by rules that do not protect them"
        ),
        ChangeRule(
            "personal-tightened", "`x-pii`", "less of a personal value is kept", .revision,
            reverse: "personal-loosened",
            isAboutValidity: false,
            because: "every old event is valid; a reader finds the value shortened, hashed or left out"),
        ChangeRule(
            "personal-loosened", "`x-pii`", "more of a personal value is kept", .model,
            reverse: "personal-tightened",
            isAboutValidity: false,
            because: "what was kept off every disk stands there now: whoever reads the old events was promised less"),
    ]
}
