/// Why no doubles were made.
package struct DoublesError: Error, Equatable, CustomStringConvertible {
    /// What kind of fault it is.
    package enum Code: Sendable {
        /// Protocols cannot become doubles.
        case source
        /// There is no such file or folder, or nothing in it is marked.
        case noInput
        /// A file cannot be read or written, or is somebody's own.
        case inputOutput
        /// Files are not what the protocols make of them.
        case stale

        /// What a process ends with: 1 for a check that fails, else in the numbers of sysexits(3).
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
    /// What is wrong and what to do, one fault a line.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
