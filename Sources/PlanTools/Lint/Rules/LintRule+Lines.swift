internal import JSONSchema

extension LintRule {
    static let goodExample = LintRule(
        "good-example", "Each line in examples/good is valid, and each event has a file there",
        why: "They are what other validators are compared with, and what a new reader of the log is tried on.",
        good: .paths(["events/sign-up/1-0-0.json"]),
        bad: .files([("examples/good/sign-up.jsonl", "{\"event\": \"sign-up\"}\n")], shows: "{\"event\": \"sign-up\"}")
    ) { plan in LineExamples(plan).goodFaults }

    static let badExample = LintRule(
        "bad-example", "Each line in examples/bad is refused",
        why: "A line that should be refused and is not shows that a schema takes more than was meant.",
        good: .paths(["events/sign-up/1-0-0.json"]),
        bad: .files([("examples/bad/empty.jsonl", "")], shows: "(a file without a line)")
    ) { plan in LineExamples(plan).badFaults }
}
