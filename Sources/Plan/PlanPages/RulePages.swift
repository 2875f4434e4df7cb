internal import PlanDiff
internal import PlanLint
internal import TextRendering

/// The page about the linter's rules.
package enum LintRulePage {
    /// The page in Markdown, generated from the rules.
    package static var markdown: String {
        let contents = LintRule.all.map { "| [\($0.id)](#\($0.id)) | \(MarkdownText.plain($0.title)) |" }
        let head = """
            \(PlanPage.mark)

            # Lint rules

            `trackctl schema lint Schemas` reports violations of these rules. To make an exception for one subschema (not
            for the subschemas in it), add `"x-lint": {"rule-id": "the reason"}`.

            | rule | requirement |
            |---|---|
            """
        return head + "\n" + contents.joined(separator: "\n") + "\n\n"
            + LintRule.all.map(section).joined(separator: "\n\n")
            + "\n"
    }

    private static func section(_ rule: LintRule) -> String {
        """
        ## \(rule.id)

        \(MarkdownText.plain(rule.title)). \(MarkdownText.plain(rule.why))

        \(block("Good", rule.good))

        \(block("Bad", rule.bad))
        """
    }

    private static func block(_ title: String, _ example: LintExample) -> String {
        let location = example.path.map { ", as \(MarkdownText.code($0))" } ?? ""
        let language = example.isJSON ? "json" : "text"
        return "\(title)\(location):\n\n```\(language)\n\(example.text)\n```"
    }
}

/// The page about the version bump that each change needs.
package enum ChangeRulePage {
    /// The page in Markdown, generated from the rules.
    package static var markdown: String {
        let rows = ChangeRules.all.map { rule in
            "| `\(rule.id)` | \(rule.keywords) | \(rule.change) | \(rule.bump) | \(rule.reason) |"
        }
        return head + "\n" + rows.joined(separator: "\n") + "\n"
    }

    private static let head = """
        \(PlanPage.mark)

        # Which version a change needs

        A version is MODEL-REVISION-ADDITION. A published version never changes; every change is a new version.

        - **ADDITION**: every old event is still valid, and readers of old events can read new events.
        - **REVISION**: every old event is still valid, but readers of old events may fail on new events.
        - **MODEL**: anything else.

        `trackctl schema diff --against git:origin/main` compares the schemas of every event and of the container, and
        reports the bump that each change needs.

        1. If possible, it compares the sets of all events that the two schemas accept. The result is either a proof that
           every old event is still valid, or an old event that is no longer valid, confirmed by a validator. After a
           proof, a change of the valid events needs at most a REVISION, even if the table requires a MODEL. Changes that
           do not affect validity, such as `x-pii`, still follow the table.
        2. If there is neither a proof nor an invalid event, the table decides. A change that evaluates fewer members, or
           adds a member, then needs a MODEL if `unevaluatedProperties`, `unevaluatedItems`, `additionalProperties` or
           `patternProperties` next to it may now reject what they accepted before.

        | rule | keywords | change | bump | reason |
        |---|---|---|---|---|
        """
}
