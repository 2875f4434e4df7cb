package import JSONLines

/// A line that holds no event: where, and why.
package struct InputError: Error, CustomStringConvertible {
    /// The input's name.
    package let input: String
    /// From 1; in a database, the event's number.
    package let line: Int64
    /// From 1, in bytes.
    package let column: Int
    /// What is wrong.
    package let reason: String

    /// `file:line:column: reason`, which editors can jump to.
    package var description: String { "\(input):\(line):\(column): \(reason)" }
}

extension InputError {
    /// The same fault in a chunk's input.
    ///
    /// - Parameters:
    ///   - input: The input's name.
    ///   - lines: How many of its lines come before the chunk.
    package func moved(to input: String, by lines: Int64) -> InputError {
        InputError(input: input, line: line + lines, column: column, reason: reason)
    }

    /// What is wrong with a line that a parser refused.
    package init(_ error: any Error, input: String, line: Int64) {
        self.input = input
        self.line = line
        if let error = error as? JSONSyntaxError {
            (column, reason) = (error.column, error.reason)
        } else {
            (column, reason) = (1, "\(error)")
        }
    }

    /// A line without anything on it.
    package static func empty(input: String, line: Int64) -> Self {
        InputError(input: input, line: line, column: 1, reason: "the line is empty")
    }

    /// A last line without a line feed.
    package static func torn(input: String, line: Int64) -> Self {
        InputError(input: input, line: line, column: 1, reason: "torn write: the last line has no line feed")
    }

    /// A line that is over the limit.
    package static func tooLong(input: String, line: Int64) -> Self {
        let limit = LogFileReader.maximumLineLength >> 20
        return InputError(input: input, line: line, column: 1, reason: "the line is longer than \(limit) MiB")
    }
}

extension LineSplitter.Line {
    /// The bytes of a line that is complete and not empty.
    ///
    /// - Throws: ``InputError`` for any other.
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
