internal import JSONLines
internal import LogFiles
internal import Tracking

/// A line that holds no event: where, and why.
struct InputFault: CustomStringConvertible {
    let input: String
    /// From 1; in a database, the event's number.
    let line: Int64
    /// From 1, in bytes.
    let column: Int
    let reason: String

    /// `file:line:column: reason`, which editors can jump to.
    var description: String { "\(input):\(line):\(column): \(reason)" }
}

extension InputFault {
    /// What is wrong with a line that ``RecordedContainer`` refused.
    init(_ error: any Error, input: String, line: Int64) {
        self.input = input
        self.line = line
        if let error = error as? JSONSyntaxError {
            (column, reason) = (error.column, error.reason)
        } else {
            (column, reason) = (1, "\(error)")
        }
    }

    static func empty(input: String, line: Int64) -> Self {
        InputFault(input: input, line: line, column: 1, reason: "the line is empty")
    }

    static func torn(input: String, line: Int64) -> Self {
        InputFault(input: input, line: line, column: 1, reason: "torn write: the last line has no line feed")
    }

    static func tooLong(input: String, line: Int64) -> Self {
        let limit = LogFileReader.maximumLineLength >> 20
        return InputFault(input: input, line: line, column: 1, reason: "the line is longer than \(limit) MiB")
    }
}
