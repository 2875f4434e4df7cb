/// What a checker says of a line.
public struct LineResult: Hashable, Sendable {
    /// The place of the event's schema in ``EventPlan/events``; nil if the line names none that the plan has.
    public let event: Int?
    /// What the line names as its schema, `search/1-0-0`, if that could be read and has the form.
    public let reference: String?
    /// What is wrong; empty for a valid line.
    public let findings: [LineFinding]

    /// Whether nothing is wrong.
    public var isValid: Bool { findings.isEmpty }
}
