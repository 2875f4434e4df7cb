internal import JSONSchema

extension LintRule {
    static let sinceDate = LintRule(
        "since-date", "x-since is the date on which a version was published",
        why: "The pages show it in the history of an event, and sort by nothing else than what is written here.",
        good: .member(#""x-since": "2018-09-12""#),
        bad: .member(#""x-since": "12 September""#)
    ) { node, plan in
        guard let since = node["x-since"] else { return [] }
        let isDate = plan.judge.satisfies(since.source, #"{"type": "string", "format": "date"}"#) ?? true
        if isDate, node.role == .root { return [] }
        return [LintFault(node, at: ["x-since"], "write a date such as 2018-09-12, in the outermost schema only")]
    }
}
