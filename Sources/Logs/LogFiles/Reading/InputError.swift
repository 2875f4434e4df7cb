package import JSONLines

/// A line that holds no event: its location and the reason.
package struct InputError: Error, CustomStringConvertible {
    package let input: String
    /// The line, from 1; in a database, the event's number.
    package let line: Int64
    /// The column, from 1, in bytes.
    package let column: Int
    package let reason: String

    /// `file:line:column: reason`, which editors can jump to.
    package var description: String { "\(input):\(line):\(column): \(reason)" }
}

extension InputError {
    /// The same error with the input's name, and the line counted from the start of the input.
    ///
    /// - Parameters:
    /// - input: The input's name.
    /// - lines: The number of its lines before the chunk.
    package func moved(to input: String, by lines: Int64) -> InputError {
        InputError(input: input, line: line + lines, column: column, reason: reason)
    }

    /// Creates an error from a parser's.
    package init(_ error: any Error, input: String, line: Int64) {
        self.input = input
        self.line = line
        if let error = error as? JSONSyntaxError {
            column = error.column
            reason = error.reason
        } else {
            column = 1
            reason = "\(error)"
        }
    }

    package static func empty(input: String, line: Int64) -> Self {
        InputError(input: input, line: line, column: 1, reason: "the line is empty")
    }

    /// A last line without a line feed.
    package static func torn(input: String, line: Int64) -> Self {
        InputError(input: input, line: line, column: 1, reason: "torn write: the last line has no line feed")
    }

    /// A line over the limit.
    package static func tooLong(input: String, line: Int64) -> Self {
        let limit = LogFileReader.maximumLineLength >> 20
        return InputError(input: input, line: line, column: 1, reason: "the line is longer than \(limit) MiB")
    }
}

extension LineSplitter.Line {
    /// The bytes of a complete, non-empty line.
    ///
    /// - Throws: ``InputError`` for other lines.
    package func content(input: String, line: Int64) throws(InputError) -> [UInt8] {
        switch self {
        case .complete(let bytes) where bytes.isEmpty || bytes == [UInt8(ascii: "\r")]:
            throw .empty(input: input, line: line)
        case .complete(let bytes): return bytes
        case .torn: throw .torn(input: input, line: line)
        case .tooLong: throw .tooLong(input: input, line: line)
        }
    }
}
