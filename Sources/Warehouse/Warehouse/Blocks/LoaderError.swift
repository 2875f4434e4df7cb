package import Primitives

/// An error of the loader: what failed, on what, and what to do. No error loses events: the stream has them.
package struct LoaderError: LayerError {
    /// A store has blocks of another stream.
    package static func otherStream(_ name: String) -> LoaderError {
        LoaderError(
            .otherStream,
            "\(name) has the blocks of another stream; pass a new folder or database, and a new --state folder")
    }

    /// A folder is not one that a loader writes.
    static func noLoaderFolder(_ folder: String) -> LoaderError {
        LoaderError(.missingFolder, "\(folder) is not a folder of a loader: it has no folder 'events'")
    }

    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// Another loader uses the state.
        case inUse = "in-use"
        /// A file cannot be opened or written.
        case cannotOpen = "cannot-open"
        /// The state is of another stream.
        case otherStream = "other-stream"
        /// Messages that a block needs are no longer in the stream, or have changed.
        case missingMessages = "missing-messages"
        /// A store does not answer.
        case unavailable
        /// A store rejects a request.
        case rejected
        /// A folder of a loader does not exist.
        case missingFolder = "missing-folder"
        /// A store has other rows of a block.
        case otherRows = "other-rows"
        /// A file of a folder cannot be read, or differs from its manifest.
        case damagedFile = "damaged-file"
        /// A signal ended the work.
        case interrupted
    }

    package let code: Code
    package let message: String
    package let underlyingError: (any Error)?

    package init(_ code: Code, _ message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
    }

    package var category: ErrorCategory {
        switch code {
        case .inUse: .busy
        case .cannotOpen: .inputOutput
        case .otherStream, .rejected: .usage
        case .missingMessages, .otherRows, .damagedFile: .invalidInput
        case .unavailable: .unavailable
        case .missingFolder: .notFound
        case .interrupted: .interrupted
        }
    }
}
