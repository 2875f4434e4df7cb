internal import LogFiles
package import Primitives

/// Why nothing was scaffolded. Nothing is written then.
package struct ScaffoldError: LayerError {
    /// The kinds of error.
    package enum Code: Sendable {
        /// A name cannot be used in schemas or in Swift.
        case invalidName
        /// A file, an event, a type or a property of that name is there already.
        case exists
        /// Several targets or enums may be meant.
        case ambiguous
        /// There is no such package, target or folder.
        case notFound
        /// The plan is invalid, or would be with the new event.
        case invalidPlan
        /// A template is invalid.
        case invalidTemplate
        /// A Swift file is written in a way in which it cannot be changed safely.
        case invalidSource
        /// A file cannot be read.
        case cannotRead
        /// A folder cannot be made.
        case cannotWrite
        /// Another program has changed a file meanwhile.
        case changed
    }

    package let code: Code
    package let message: String
    package let underlyingError: (any Error)?

    init(_ code: Code, _ message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
    }

    /// A folder cannot be made, by the number that the system gave.
    static func making(folder: String, _ number: Int32) -> ScaffoldError {
        let error = LogFileError.writing(folder, number)
        return ScaffoldError(.cannotWrite, error.message, underlyingError: error)
    }

    /// The message.
    package var description: String { message }

    package var category: ErrorCategory {
        switch code {
        case .invalidName, .exists, .ambiguous: .usage
        case .notFound: .notFound
        case .invalidPlan, .invalidTemplate, .invalidSource: .invalidInput
        case .cannotRead, .cannotWrite: .inputOutput
        case .changed: .busy
        }
    }
}
