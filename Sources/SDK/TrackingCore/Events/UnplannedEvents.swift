/// Whether events without a schema in the tracking plan are sent. Their type declares ``TrackingEvent/isPlanned`` as
/// false.
public enum UnplannedEvents: Hashable, Sendable {
    /// Drops them before they are encoded, and counts them as ``/EventLog/DropReason/unplanned``.
    case rejected
    /// Sends them, with `"unplanned":true` in their lines.
    case allowed
}
