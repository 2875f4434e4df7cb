internal import PlanDiff
internal import PlanLint
internal import TextRendering

/// The page of the linter's rules.
package enum LintRulePage {
    /// The page in Markdown, written from the rules themselves.
    package static var markdown: String {
        let contents = LintRule.all.map { "| [\($0.id)](#\($0.id)) | \(MarkdownText.plain($0.title)) |" }
        let head = """
            \(PlanPage.mark)

            # Rules of the schemas

            `trackctl schema lint Schemas` finds what breaks them. A subschema excuses itself, and nothing within it, from
            one rule with `"x-lint": {"rule-id": "the reason"}`.

            | rule | what holds |
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

/// The page that says which version a change needs.
package enum ChangeRulePage {
    /// The page in Markdown, written from the rules themselves.
    package static var markdown: String {
        let rows = ChangeRules.all.map { rule in
            "| `\(rule.id)` | \(rule.keywords) | \(rule.change) | \(rule.bump) | \(rule.reason) |"
        }
        return head + "\n" + rows.joined(separator: "\n") + "\n"
    }

    private static let head = """
        <!-- Written by `trackctl schema docs`: what is changed here is lost. -->

        # Which version a change needs

        A version is MODEL-REVISION-ADDITION. A published version never changes; a change is a new version beside it.

        - **ADDITION**: every old event is still valid, and who reads new events as old ones gets along.
        - **REVISION**: every old event is still valid; who reads new events as old ones may fail.
        - **MODEL**: anything else.

        `trackctl schema diff --against git:origin/main` compares the schemas of every event, container included, and says
        which version each change needs. Where it can, it compares the sets of all events that two schemas take: that
        every old event is still valid is then proven, or an event is shown that is not, after a validator was asked about
        it. Proven to leave every old event valid, a change of what is valid needs a REVISION at most, whatever stands
        below; what is not about validity, such as `x-pii`, needs what stands below all the same. Where nothing is proven
        or shown, the table decides; a change that evaluates less, or adds a member, needs a MODEL then if
        `unevaluatedProperties`, `unevaluatedItems`, `additionalProperties` or `patternProperties` beside it may refuse by
        it what they let pass.

        | rule | keywords | what changed | needs | why |
        |---|---|---|---|---|
        """
}
