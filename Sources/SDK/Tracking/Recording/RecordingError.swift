package import Primitives

/// An error of a recording's file: what happened, and what to do about it.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String { case notFound, cannotRead, cannotWrite, notARecording, newerVersion, damaged }
        let kind: Kind

        /// There is no such file.
        public static let notFound = Code(kind: .notFound)
        /// The file is there but cannot be read.
        public static let cannotRead = Code(kind: .cannotRead)
        /// The file or its folder cannot be written.
        public static let cannotWrite = Code(kind: .cannotWrite)
        /// The file is something else.
        public static let notARecording = Code(kind: .notARecording)
        /// A newer version of this package wrote it.
        public static let newerVersion = Code(kind: .newerVersion)
        /// A line is no entry.
        public static let damaged = Code(kind: .damaged)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// What happened and what to do, in a sentence. Holds no line's content.
    public let message: String
    /// The source file that reported it.
    public let file: StaticString
    /// The line in that file.
    public let line: UInt

    package init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    package static func notARecording(
        _ path: String, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordingError {
        RecordingError(
            .notARecording, "\(path) is no recording of actions: name a file that an ActionRecorder wrote",
            file: file, line: line)
    }

    /// The message.
    public var description: String { message }
}

extension RecordingError: LayerError {
    package var category: ErrorCategory {
        switch code.kind {
        case .notFound: .notFound
        case .notARecording, .newerVersion, .damaged: .invalidInput
        case .cannotRead, .cannotWrite: .inputOutput
        }
    }
}
