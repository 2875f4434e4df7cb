public import TrackingPlan

/// An event that was sent and breaks the plan. It was recorded all the same: nothing is lost.
public struct EventViolation: Sendable, CustomStringConvertible {
    /// The event's name.
    public let eventName: String
    /// Its number in the log.
    public let seq: Int64
    /// What is wrong: never empty. Paths lead through the line, `/event/value/page`; messages hold no values.
    public let findings: [LineFinding]

    /// The event, and what is wrong with it, one finding a line.
    public var description: String {
        "the event \(eventName) (seq \(seq)) breaks the plan:"
            + findings.map { finding in
                let path = finding.instancePath.isEmpty ? "the line" : finding.instancePath
                return "\n  \(path): \(finding.message)"
                    + (finding.schemaLocation.isEmpty ? "" : "\n    \(finding.schemaLocation)")
            }.joined()
    }
}
