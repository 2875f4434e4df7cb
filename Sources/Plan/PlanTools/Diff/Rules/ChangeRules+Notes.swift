extension ChangeRules {
    static let notes = [
        ChangeRule(
            "documentation-changed",
            "`title`, `description`, `examples`, `x-…` and every other keyword that refuses nothing",
            "words changed", .addition, reverse: "documentation-changed",
            #"{"type": "string", "description": "One."}"#, #"{"type": "string", "description": "Two."}"#,
            isAboutValidity: false,
            because: "the same events are valid; as a published version never changes, new words are a new version"),
        ChangeRule(
            "content-changed", "`contentEncoding`, `contentMediaType`, `contentSchema`",
            "what a string holds changed", .revision, reverse: "content-changed",
            #"{"type": "string", "contentEncoding": "base64"}"#,
            #"{"type": "string", "contentEncoding": "base32"}"#,
            isAboutValidity: false,
            because: "no event becomes invalid by it, but a reader decodes the string by it"),
        ChangeRule(
            "personal-marked", "`x-pii`", "a value counts as personal now", .revision, reverse: "personal-unmarked",
            #"{"type": "string", "x-pii": false}"#, #"{"type": "string", "x-pii": true}"#,
            isAboutValidity: false,
            because: "every old event is valid; a reader may no longer pass the value on as it did, or gets less of it"),
        ChangeRule(
            "personal-unmarked", "`x-pii`", "a value no longer counts as personal", .model,
            reverse: "personal-marked",
            #"{"type": "string", "x-pii": true}"#, #"{"type": "string"}"#,
            isAboutValidity: false,
            because:
                "values that were collected as personal stay personal: they must not be read by rules that do not protect them"
        ),
        ChangeRule(
            "personal-tightened", "`x-pii`", "less of a personal value is kept", .revision,
            reverse: "personal-loosened",
            #"{"type": "string", "x-pii": true}"#, #"{"type": "string", "x-pii": "hash"}"#,
            isAboutValidity: false,
            because: "every old event is valid; a reader finds the value shortened, hashed or left out"),
        ChangeRule(
            "personal-loosened", "`x-pii`", "more of a personal value is kept", .model,
            reverse: "personal-tightened",
            #"{"type": "string", "x-pii": "truncate:2"}"#, #"{"type": "string", "x-pii": "truncate:3"}"#,
            isAboutValidity: false,
            because: "what was kept off every disk stands there now: whoever reads the old events was promised less"),
    ]
}
