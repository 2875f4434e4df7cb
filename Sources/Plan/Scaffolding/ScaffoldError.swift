internal import LogFiles
package import Primitives

/// The reason why scaffolding failed. Nothing was written.
package struct ScaffoldError: LayerError {
    package enum Code: Sendable {
        /// A name cannot be used in schemas or in Swift.
        case invalidName
        /// A file, an event, a type or a property of that name already exists.
        case exists
        /// Several targets or enums match.
        case ambiguous
        /// The package, target or folder doesn't exist.
        case notFound
        /// The plan is invalid, or would be invalid with the new event.
        case invalidPlan
        /// A template is invalid.
        case invalidTemplate
        /// A Swift file cannot be changed safely.
        case invalidSource
        /// A file cannot be read.
        case cannotRead
        /// A folder cannot be created.
        case cannotWrite
        /// Another program changed a file in the meantime.
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

    /// Makes an error for a folder that cannot be created, from the system's error number.
    static func making(folder: String, _ number: Int32) -> ScaffoldError {
        let error = LogFileError.writing(folder, number)
        return ScaffoldError(.cannotWrite, error.message, underlyingError: error)
    }

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
