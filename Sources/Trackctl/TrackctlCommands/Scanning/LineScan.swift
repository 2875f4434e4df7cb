internal import LogFiles

/// Gives the lines that a command was asked for to a crew.
struct LineScan {
    let request: EventRequest
    let console: Console
    /// Whether the crew may want no more before the end. Then no input is begun before all lines of the one before are
    /// done, so that what is read is the same for any number of threads.
    var mayStop = false

    /// Reads until everything was read or the crew wants no more; faults are reported, and the next input is read.
    ///
    /// - Parameter atEnd: Called with each input that was read to its end.
    /// - Returns: The stream, to be concluded when all results are out.
    /// - Throws: ``CommandFailure``, `inputOutput`, if there is no room for what must be kept until the end.
    func run<Gatherer>(
        _ crew: ChunkCrew<Gatherer>, atEnd: @escaping (EventSource) throws -> Void = { _ in }
    ) throws -> EventStream {
        Interruption.listen()
        let stream = EventStream(
            request, console: console, isChecked: true, atEnd: atEnd,
            atBorder: {
                // What was read ahead, past the line where the crew stopped, does not count.
                if mayStop { crew.drain() }
                return !crew.isDone
            })
        defer {
            crew.finish()
            console.clearProgress()
        }
        while !crew.isDone, let chunk = try stream.next() { crew.submit(chunk) }
        return stream
    }
}
