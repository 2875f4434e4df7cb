internal import EventFormats
internal import LogFiles

/// Writes the selected events to standard output.
enum LinesOutput {
    /// Writes all selected events.
    ///
    /// - Parameter format: nil to write lines unchanged.
    /// - Throws: ``CommandFailure``; `ExitCode` for errors that have been reported.
    static func write(_ request: EventRequest, as format: (any LineFormat)?) throws {
        Interruption.listen()
        let stream = EventStream(request, console: Console(sharesTerminal: true))
        let writer = try EventWriter(format, to: .standardOutput(for: format))
        while let chunk = try stream.next() {
            try writer.write(chunk, of: request.name(ofInput: chunk.input)) { stream.note($0) }
            if stream.isLive { try writer.passOn() }
        }
        try writer.flush()
        try stream.conclude()
    }
}
