/// What becomes of events that no expectation of a test has asserted.
public enum Exhaustivity: Sendable {
    /// They fail the test when the recorder goes away, and so do drops.
    case on
    /// Nobody asks.
    case off
}
