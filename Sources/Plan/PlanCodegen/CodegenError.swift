/// Why no code was made.
package struct CodegenError: Error, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    package enum Code: Sendable {
        /// Schemas cannot become code.
        case schemas
        /// There is no such folder.
        case noFolder
        /// A file cannot be read or written.
        case inputOutput
        /// Files are not what the schemas make of them.
        case stale

        /// What a process ends with: 1 for a check that fails, else in the numbers of sysexits(3).
        package var exitStatus: Int32 {
            switch self {
            case .stale: 1
            case .schemas: 65
            case .noFolder: 66
            case .inputOutput: 74
            }
        }
    }

    package let code: Code
    /// What is wrong and what to do, one fault a line.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
