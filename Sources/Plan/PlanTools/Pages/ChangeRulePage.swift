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
