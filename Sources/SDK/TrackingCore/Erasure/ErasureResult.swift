/// The answer of a sink to a request to delete a user's events; see ``Sink/erase(_:)``.
public enum ErasureAnswer: Hashable, Sendable {
    /// The sink has none of the events any more. The checkpoint replaces that of the last delivery: a sink whose deliveries
    /// are not affected passes ``/EventLog/ErasureRequest/checkpoint``.
    case done(checkpoint: String?)
    /// Some events may be left. The sink is asked again: after this time or after a growing wait, by the next flush, and
    /// after the next start.
    case pending(after: Duration?, reason: String)
    /// The sink cannot delete events. It is not asked again.
    case unsupported
}

/// What ``Tracker/erase(user:)`` has achieved in the sinks.
public struct ErasureResult: Hashable, Sendable {
    /// The state of a sink.
    public enum Outcome: Hashable, Sendable {
        /// The sink has none of the user's events any more.
        case done
        /// The sink will be asked again, also after a restart.
        case pending(reason: String)
        /// The sink cannot delete events: delete what it has by other means.
        case unsupported
    }

    /// The outcome for each sink of the tracker, by ``Sink/name``.
    public let sinks: [String: Outcome]

    /// Makes a result.
    public init(sinks: [String: Outcome]) { self.sinks = sinks }

    /// Whether no sink has any of the user's events.
    public var isComplete: Bool { sinks.values.allSatisfy { $0 == .done } }
}
