public import TrackingPlan

/// An event that was sent and violates the plan. It was recorded nevertheless.
public struct EventViolation: Sendable, CustomStringConvertible {
    /// The event's name.
    public let eventName: String
    /// The event's number in the log.
    public let seq: Int64
    /// The violations: never empty. Paths start at the line, `/event/value/page`; messages contain no values.
    public let findings: [LineFinding]

    /// The event and its violations, one per line.
    public var description: String {
        "the event \(eventName) (seq \(seq)) violates the plan:"
            + findings.map { finding in
                let path = finding.instancePath.isEmpty ? "the line" : finding.instancePath
                return "\n  \(path): \(finding.message)"
                    + (finding.schemaLocation.isEmpty ? "" : "\n    \(finding.schemaLocation)")
            }.joined()
    }
}
