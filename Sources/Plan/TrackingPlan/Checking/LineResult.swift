/// What a checker says of a line.
public struct LineResult: Hashable, Sendable {
    /// The place of the event's schema in ``EventPlan/events``; nil if the line names none that the plan has.
    public let event: Int?
    /// What the line names as its schema, `search/1-0-0`, if that could be read and has the form.
    public let reference: String?
    /// When it was sent, in microseconds since 1970; nil if that could not be read.
    public let microseconds: Int64?
    /// What is wrong; empty for a valid line.
    public let findings: [LineFinding]

    /// Whether nothing is wrong.
    public var isValid: Bool { findings.isEmpty }

    init(event: Int?, reference: String?, microseconds: Int64?, findings: [LineFinding]) {
        self.event = event
        self.reference = reference
        self.microseconds = microseconds
        self.findings = findings
    }

    /// Makes the result of a line in which nothing could be read.
    public init(finding: LineFinding) {
        self.init(event: nil, reference: nil, microseconds: nil, findings: [finding])
    }
}
