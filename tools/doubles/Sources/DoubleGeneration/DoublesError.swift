/// Why no doubles were generated.
package struct DoublesError: Error, Equatable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: Sendable {
        /// Protocols that doubles don't support.
        case source
        /// The file or folder does not exist, or contains no mark.
        case noInput
        /// A file cannot be read or written, or was not generated.
        case inputOutput
        /// Generated files are stale.
        case stale

        /// The exit code: 1 for a failed check, otherwise as in sysexits(3).
        package var exitStatus: Int32 {
            switch self {
            case .stale: 1
            case .source: 65
            case .noInput: 66
            case .inputOutput: 74
            }
        }
    }

    package let code: Code
    /// What is wrong and what to do, one error per line.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
