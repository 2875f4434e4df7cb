internal import JSONSchema

extension LintRule {
    static let dialect = LintRule(
        "dialect", "$schema names JSON Schema 2020-12",
        why: "Without it a validator guesses which version of the standard is meant, and versions differ.",
        good: .paths(["events/sign-up/1-0-0.json"]),
        bad: .file(
            "events/sign-up/1-0-0.json",
            """
            {
              "$schema": "http://json-schema.org/draft-07/schema#",
              "$id": "https://schemas.example.com/events/sign-up/1-0-0.json",
              "title": "sign-up",
              "description": "A person signed up.",
              "type": "object",
              "required": ["name"],
              "additionalProperties": false,
              "properties": {"name": {"const": "sign-up", "description": "The event's name."}},
              "examples": [{"name": "sign-up"}]
            }
            """)
    ) { _, root in
        let uri = "https://json-schema.org/draft/2020-12/schema"
        guard root["$schema"]?.string != uri else { return [] }
        return [LintFault(root, at: ["$schema"], "write \"$schema\": \"\(uri)\"")]
    }
}
