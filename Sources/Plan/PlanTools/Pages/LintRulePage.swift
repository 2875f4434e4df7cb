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
        let place = example.path.map { ", as \(MarkdownText.code($0))" } ?? ""
        let language = example.isJSON ? "json" : "text"
        return "\(title)\(place):\n\n```\(language)\n\(example.text)\n```"
    }
}
