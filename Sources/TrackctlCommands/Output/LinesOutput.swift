/// The events that were asked for, on standard output.
enum LinesOutput {
    /// Writes all of them.
    ///
    /// - Throws: ``CommandFailure``; `ExitCode` for what has been reported.
    static func write(_ request: EventRequest) throws {
        let stream = EventStream(request, console: Console(sharesTerminal: true))
        let output = BufferedOutput.standardOutput()
        while let chunk = try stream.next() {
            try output.write(chunk)
            if stream.isLive { try output.flush() }
        }
        try output.flush()
        try stream.conclude()
    }
}

extension BufferedOutput {
    /// Adds the lines of a chunk.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func write(_ chunk: LineChunk) throws {
        try chunk.forEachLine { line in
            try write(line: line.bytes)
            return true
        }
    }
}
