/// What a user has said about tracking.
public enum Consent: String, Sendable {
    /// Events are stored and delivered.
    case granted
    /// Events are dropped, and those that were not delivered to every consumer are removed.
    case denied
    /// The user has not said anything yet: events are stored, and delivered once the user agrees.
    case unknown
}
