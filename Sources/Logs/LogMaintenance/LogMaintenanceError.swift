internal import LogFiles
package import Primitives

/// An error of log maintenance: what failed, and what to do.
package struct LogMaintenanceError: LayerError {
    package enum Code: Hashable, Sendable {
        /// The file does not exist.
        case notFound
        /// The input is not a log, and has no file that the limit applies to.
        case nothingToPrune
        /// The log has consumers, but none with the given name.
        case noConsumer
        /// The log must be repaired first.
        case unfinished
        /// A process has the log open, or reads it.
        case busy
        /// A signal interrupted the work; completed steps are consistent.
        case interrupted
    }

    package let code: Code
    /// What failed and what to do, in one line. Never contains an event's content.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Throws if a signal has arrived.
    ///
    /// - Throws: ``LogMaintenanceError``, `interrupted`.
    static func checkInterruption() throws {
        guard Interruption.isRequested else { return }
        throw LogMaintenanceError(
            .interrupted, "interrupted by a signal: completed steps are kept; run the same command again for the rest")
    }

    package var category: ErrorCategory {
        switch code {
        case .notFound: .notFound
        case .nothingToPrune, .noConsumer: .usage
        case .unfinished: .invalidInput
        case .busy: .busy
        case .interrupted: .interrupted
        }
    }
}
