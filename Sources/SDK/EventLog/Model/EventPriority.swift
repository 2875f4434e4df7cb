/// How much it matters that an event is not dropped when the log cannot be written fast enough.
public enum EventPriority: String, CaseIterable, Sendable {
    /// The event is dropped when the journal has no room for it.
    case normal
    /// A quarter of the journal's limit is kept for such events. For few: a purchase, a consent.
    case critical
}
