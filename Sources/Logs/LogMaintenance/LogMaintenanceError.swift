internal import LogFiles
package import Primitives

/// Why a log cannot be looked after: what happened, and what to do about it.
package struct LogMaintenanceError: LayerError {
    /// The kinds of error. A later version may add more.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String { case notFound, nothingToPrune, noConsumer, unfinished, busy, interrupted }
        let kind: Kind

        /// There is no such file.
        package static let notFound = Code(kind: .notFound)
        /// The input is no log, and has no file that the limit applies to.
        package static let nothingToPrune = Code(kind: .nothingToPrune)
        /// The log has consumers, but none of the name that was given.
        package static let noConsumer = Code(kind: .noConsumer)
        /// What is left of a log must be put in order before anything is done with it.
        package static let unfinished = Code(kind: .unfinished)
        /// A process has the log open, or reads it.
        package static let busy = Code(kind: .busy)
        /// A signal has ended the work; what was done is whole.
        package static let interrupted = Code(kind: .interrupted)

        /// The code's name.
        package var description: String { kind.rawValue }
    }

    /// The kind of error.
    package let code: Code
    /// What happened and what to do, in a sentence. Holds no event's content.
    package let message: String
    /// The source file that reported it.
    package let file: StaticString
    /// The line in that file.
    package let line: UInt

    init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    /// Ends what a signal has interrupted.
    ///
    /// - Throws: ``LogMaintenanceError``, `interrupted`, if one has come.
    static func checkInterruption() throws {
        guard Interruption.isRequested else { return }
        throw LogMaintenanceError(
            .interrupted, "ended by a signal: what was done is whole; run the same command again for the rest")
    }

    /// The message.
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
