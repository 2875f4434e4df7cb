internal import EventFormats
internal import JSONLines
internal import LogFiles

/// Writes events to an output in a format.
final class EventWriter {
    private let output: BufferedOutput
    private var format: (any LineFormat)?
    private var formatted: [UInt8] = []
    private var hasNew = false

    /// - Parameter format: nil to write lines unchanged.
    init(_ format: (any LineFormat)?, to output: BufferedOutput) throws {
        self.output = output
        self.format = format
        self.format?.begin(into: &formatted)
        try output.write(formatted)
        formatted.removeAll(keepingCapacity: true)
    }

    /// Appends the lines of a chunk.
    ///
    /// - Parameter issue: Called for each line that is not JSON, which the format cannot show.
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(_ chunk: LineChunk, of name: String, issue: (InputError) -> Void) throws {
        if format == nil, chunk.isWhole {
            hasNew = true
            return try output.write(chunk.bytes)
        }
        try chunk.forEachLine { line in
            try write(line.bytes, number: line.number, of: name, issue: issue)
            return true
        }
    }

    /// Appends a line.
    ///
    /// - Parameter issue: Called if the line is not JSON, which the format cannot show.
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(
        _ line: UnsafeRawBufferPointer, number: Int64, of name: String, issue: (InputError) -> Void
    ) throws {
        hasNew = true
        guard format != nil else { return try output.write(line: line) }
        do {
            try format?.append(line, into: &formatted)
        } catch let error as JSONSyntaxError {
            issue(InputError(error, input: name, line: number))
        }
        try writeFormatted()
    }

    /// Writes the buffer to the output if there are new lines. You can append more afterwards.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func passOn() throws {
        if hasNew { try flush() }
    }

    /// Writes everything to the output, including a header without events.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func flush() throws {
        hasNew = false
        format?.end(into: &formatted)
        try writeFormatted()
        try output.flush()
    }

    private func writeFormatted() throws {
        guard !formatted.isEmpty else { return }
        try output.write(formatted)
        formatted.removeAll(keepingCapacity: true)
    }
}

extension BufferedOutput {
    /// Standard output for events in a format; nil for unchanged lines.
    static func standardOutput(for format: (any LineFormat)?) -> BufferedOutput {
        standardOutput(isPrintable: format?.isPrintable ?? false)
    }
}
