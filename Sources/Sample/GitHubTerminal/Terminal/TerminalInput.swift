/// What comes to the browser from outside.
enum TerminalInput: Equatable, Sendable {
    /// What was typed.
    case bytes([UInt8])
    /// A signal came.
    case signal(Int32)
    /// What the app holds has changed.
    case changed
    /// The terminal is gone.
    case ended
}
