internal import TrackingPlan

/// What a kind of findings means, in the words of a rule.
struct FindingRule {
    let id: String
    /// What is found.
    let summary: String
    /// What to do.
    let help: String

    init(_ id: String, _ summary: String, help: String) {
        (self.id, self.summary, self.help) = (id, summary, help)
    }

    /// The rules, in the order of their numbers: the kinds, then ``unused``.
    static let all = LineFinding.Kind.allCases.map(FindingRule.init) + [unused]

    static let unused = FindingRule(
        "unused-event", "No line has an event of the plan.",
        help: "Look for the place that should send it; if there is none any more, say so in the schema's description.")

    static func unusedMessage(_ schema: PlanSchema) -> String { "no line has the event \(schema.name)" }

    init(_ kind: LineFinding.Kind) {
        let (summary, help) = Self.words(kind)
        self.init(kind.rawValue, summary, help: help)
    }

    private static func words(_ kind: LineFinding.Kind) -> (summary: String, help: String) {
        switch kind {
        case .notJSON:
            (
                "A line is not JSON that every reader understands alike.",
                "Look for what else writes to the file; names must not repeat, integers must lie within ±(2^53−1)."
            )
        case .tooLong:
            ("A line is longer than 32 KiB.", "Send less with the event: a reference instead of the content.")
        case .torn:
            (
                "The last line of a file has no line feed.",
                "A write was cut off, or goes on: read again later, or take the line from the event log."
            )
        case .invalidContainer:
            (
                "What surrounds the event breaks the container's schema.",
                "Compare the version of the SDK that wrote the line with the container's schema."
            )
        case .unknownEvent:
            ("The plan has no event of that name.", "Add its schema to the plan, or correct the name where it is sent.")
        case .unknownVersion:
            (
                "The plan has the event, but not in that version.",
                "Add the schema of that version: published versions stay in the plan."
            )
        case .nameMismatch:
            (
                "The schema that a line names is another event's.",
                "Correct what encodes the line: both come from one type."
            )
        case .invalidEvent:
            ("An event breaks its schema.", "Correct what sends it, or add a version to the plan that allows it.")
        case .undecided:
            ("A limit was reached before the question was decided.", "Simplify the schema that is named.")
        }
    }
}
