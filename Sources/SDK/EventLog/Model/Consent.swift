/// A user's answer about tracking.
public enum Consent: String, Sendable {
    /// Events are stored and delivered.
    case granted
    /// Events are dropped. Events that at least one consumer has not received are removed.
    case denied
    /// The user has not answered yet. Events are stored, and delivered once the user agrees.
    case unknown
}
