internal import JSONSchema

extension LintRule {
    static let dialect = LintRule(
        "dialect", "$schema names JSON Schema 2020-12",
        why: "Without it a validator guesses which version of the standard is meant, and versions differ.",
        good: .event(#""$schema": "https://json-schema.org/draft/2020-12/schema""#),
        bad: .event(
            #""$schema": "https://json-schema.org/draft/2020-12/schema""#,
            becomes: ##""$schema": "http://json-schema.org/draft-07/schema#""##)
    ) { _, root in
        let uri = "https://json-schema.org/draft/2020-12/schema"
        guard root["$schema"]?.string != uri else { return [] }
        return [LintFault(root, at: ["$schema"], "write \"$schema\": \"\(uri)\"")]
    }
}
