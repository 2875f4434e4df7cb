/// What happens to events that the tracking plan has no schema for: those whose type declares
/// ``TrackingEvent/isPlanned`` as false.
public enum UnplannedEvents: Hashable, Sendable {
    /// They are dropped before they are encoded, and counted as ``DropReason/unplanned``.
    case rejected
    /// They are sent, and their lines are marked with `"unplanned":true`.
    case allowed
}
