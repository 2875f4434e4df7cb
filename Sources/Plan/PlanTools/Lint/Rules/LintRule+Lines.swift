extension LintRule {
    private static func line(_ text: String, in folder: String) -> LintExample {
        .files([(path: "examples/\(folder)/sign-up.jsonl", text: text + "\n")], shows: text)
    }

    static let goodExample = LintRule(
        "good-example", "Each line in examples/good is valid, and each event has a file there",
        why: "They are what other validators are compared with, and what a new reader of the log is tried on.",
        good: line(#"{"event": {"name": "sign-up"}}"#, in: "good"),
        bad: line(#"{"event": "sign-up"}"#, in: "good")
    ) { plan in LineExamples(plan).goodFaults }

    static let badExample = LintRule(
        "bad-example", "Each line in examples/bad is refused",
        why: "A line that should be refused and is not shows that a schema takes more than was meant.",
        good: line(#"{"event": "sign-up"}"#, in: "bad"),
        bad: line(#"{"event": {"name": "sign-up"}}"#, in: "bad")
    ) { plan in LineExamples(plan).badFaults }
}
