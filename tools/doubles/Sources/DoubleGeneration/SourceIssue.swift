/// An error at a line of a source file.
struct SourceIssue: Error, Hashable, Comparable, CustomStringConvertible {
    let location: SourcePosition
    /// What is wrong, and what to do.
    let message: String

    init(_ location: SourcePosition, _ message: String) {
        self.location = location
        self.message = message
    }

    /// `file:line: error: message`, a format that editors and Xcode recognize.
    var description: String { "\(location.file):\(location.line): error: \(message)" }

    static func < (left: Self, right: Self) -> Bool {
        (left.location.file, left.location.line, left.message) < (
            right.location.file, right.location.line, right.message
        )
    }
}

/// A line of a source file.
struct SourcePosition: Hashable {
    /// The path in messages.
    let file: String
    /// The line number, starting at 1.
    let line: Int
}
