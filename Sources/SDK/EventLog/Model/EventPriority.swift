/// Whether an event may use the reserved part of the journal.
public enum EventPriority: String, CaseIterable, Sendable {
    /// The event is dropped when the journal has no room for it.
    case normal
    /// A quarter of the journal's limit is reserved for these events. Use it for few events, such as a purchase or a
    /// consent.
    case critical
}
