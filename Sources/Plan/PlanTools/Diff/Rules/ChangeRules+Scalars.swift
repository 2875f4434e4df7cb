extension ChangeRules {
    static let numbers = [
        ChangeRule(
            "minimum-raised", "`minimum`, `exclusiveMinimum`", "numbers must be larger", .model,
            reverse: "minimum-lowered",
            #"{"type": "integer", "minimum": 0}"#, #"{"type": "integer", "exclusiveMinimum": 0}"#,
            because: "old events may hold smaller ones"),
        ChangeRule(
            "minimum-lowered", "`minimum`, `exclusiveMinimum`", "numbers may be smaller", .addition,
            reverse: "minimum-raised",
            #"{"type": "integer", "minimum": 1}"#, #"{"type": "integer", "minimum": 0}"#,
            because: "a limit was relaxed"),
        ChangeRule(
            "maximum-lowered", "`maximum`, `exclusiveMaximum`", "numbers must be smaller", .model,
            reverse: "maximum-raised",
            #"{"type": "number", "maximum": 1.5}"#, #"{"type": "number", "maximum": 1.25}"#,
            because: "old events may hold larger ones"),
        ChangeRule(
            "maximum-raised", "`maximum`, `exclusiveMaximum`", "numbers may be larger", .addition,
            reverse: "maximum-lowered",
            #"{"type": "integer", "maximum": 100}"#, #"{"type": "integer"}"#, because: "a limit was relaxed"),
        ChangeRule(
            "multiple-narrowed", "`multipleOf`", "numbers must be multiples of more", .model,
            reverse: "multiple-widened",
            #"{"type": "integer", "multipleOf": 2}"#, #"{"type": "integer", "multipleOf": 6}"#,
            because: "old events may hold numbers between the new steps"),
        ChangeRule(
            "multiple-widened", "`multipleOf`", "numbers may be multiples of less", .revision,
            reverse: "multiple-narrowed",
            #"{"type": "number", "multipleOf": 0.5}"#, #"{"type": "number", "multipleOf": 0.25}"#,
            because: "every old event is valid; a reader that counts in the old steps meets numbers between them"),
        ChangeRule(
            "multiple-changed", "`multipleOf`", "numbers must be multiples of something else", .model,
            reverse: "multiple-changed",
            #"{"type": "integer", "multipleOf": 2}"#, #"{"type": "integer", "multipleOf": 3}"#,
            because: "old events may hold multiples of the old step alone"),
    ]

    static let strings = [
        ChangeRule(
            "min-length-raised", "`minLength`", "strings must be longer", .model, reverse: "min-length-lowered",
            #"{"type": "string"}"#, #"{"type": "string", "minLength": 1}"#, because: "old events may hold shorter ones"),
        ChangeRule(
            "min-length-lowered", "`minLength`", "strings may be shorter", .addition, reverse: "min-length-raised",
            #"{"type": "string", "minLength": 2}"#, #"{"type": "string", "minLength": 1}"#,
            because: "a limit was relaxed"),
        ChangeRule(
            "max-length-lowered", "`maxLength`", "strings must be shorter", .model, reverse: "max-length-raised",
            #"{"type": "string", "maxLength": 32768}"#, #"{"type": "string", "maxLength": 64}"#,
            because: "old events may hold longer ones"),
        ChangeRule(
            "max-length-raised", "`maxLength`", "strings may be longer", .addition, reverse: "max-length-lowered",
            #"{"type": "string", "maxLength": 64}"#, #"{"type": "string", "maxLength": 65}"#,
            because: "a limit was relaxed"),
        ChangeRule(
            "pattern-added", "`pattern`", "strings must match a pattern", .model, reverse: "pattern-removed",
            #"{"type": "string"}"#, #"{"type": "string", "pattern": "^[0-9]+$"}"#,
            because: "old events may hold strings that do not"),
        ChangeRule(
            "pattern-removed", "`pattern`", "strings need not match a pattern", .revision, reverse: "pattern-added",
            #"{"type": "string", "pattern": "^[0-9]+$"}"#, #"{"type": "string"}"#,
            because: "every old event is valid; a reader that takes the string apart meets others"),
        ChangeRule(
            "pattern-changed", "`pattern`", "strings must match another pattern", .model, reverse: "pattern-changed",
            #"{"type": "string", "pattern": "^[0-9]+$"}"#, #"{"type": "string", "pattern": "^[a-z]+$"}"#,
            because: "old events may match the old pattern alone"),
        ChangeRule(
            "format-added", "`format`", "strings must have a format", .model, reverse: "format-removed",
            #"{"type": "string"}"#, #"{"type": "string", "format": "date"}"#,
            because: "old events may hold strings that have not"),
        ChangeRule(
            "format-removed", "`format`", "strings need not have a format", .revision, reverse: "format-added",
            #"{"type": "string", "format": "date"}"#, #"{"type": "string"}"#,
            because: "every old event is valid; a reader that parses the string meets others"),
        ChangeRule(
            "format-changed", "`format`", "strings must have another format", .model, reverse: "format-changed",
            #"{"type": "string", "format": "date"}"#, #"{"type": "string", "format": "date-time"}"#,
            because: "old events may have the old format alone"),
    ]
}
