internal import LogFiles
package import Primitives

/// An error of log maintenance: what failed, and what to do.
package struct LogMaintenanceError: LayerError {
    /// The kind of error. Later versions may add more.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String { case notFound, nothingToPrune, noConsumer, unfinished, busy, interrupted }
        let kind: Kind

        /// The file does not exist.
        package static let notFound = Code(kind: .notFound)
        /// The input is not a log, and has no file that the limit applies to.
        package static let nothingToPrune = Code(kind: .nothingToPrune)
        /// The log has consumers, but none with the given name.
        package static let noConsumer = Code(kind: .noConsumer)
        /// The log must be repaired first.
        package static let unfinished = Code(kind: .unfinished)
        /// A process has the log open, or reads it.
        package static let busy = Code(kind: .busy)
        /// A signal interrupted the work; completed steps are consistent.
        package static let interrupted = Code(kind: .interrupted)

        /// The code's name.
        package var description: String { kind.rawValue }
    }

    package let code: Code
    /// What failed and what to do, in one line. Never contains an event's content.
    package let message: String
    /// The source file that created the error.
    package let file: StaticString
    package let line: UInt

    init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    /// Throws if a signal has arrived.
    ///
    /// - Throws: ``LogMaintenanceError``, `interrupted`.
    static func checkInterruption() throws {
        guard Interruption.isRequested else { return }
        throw LogMaintenanceError(
            .interrupted, "interrupted by a signal: completed steps are kept; run the same command again for the rest")
    }

    package var description: String { message }

    package var category: ErrorCategory {
        switch code.kind {
        case .notFound: .notFound
        case .nothingToPrune, .noConsumer: .usage
        case .unfinished: .invalidInput
        case .busy: .busy
        case .interrupted: .interrupted
        }
    }
}
