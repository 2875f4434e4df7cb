package import LogFiles

extension Interruption {
    /// Ends what a signal has interrupted.
    ///
    /// - Throws: ``CommandFailure``, `interrupted`, if one has come.
    package static func check() throws {
        if isRequested { throw CommandFailure(.interrupted, "ended by a signal") }
    }
}

extension CommandFailure {
    /// The same failure, and what a person does to go on.
    package func advising(_ advice: String) -> CommandFailure { CommandFailure(status, "\(message); \(advice)") }
}
