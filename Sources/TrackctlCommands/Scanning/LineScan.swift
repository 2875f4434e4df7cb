internal import CommandSupport
internal import EventLog
internal import LogFiles

/// Reads the inputs of a command, one after the other, and gives their lines to a crew.
struct LineScan {
    /// Event logs or files of JSON lines, plain or gzip; - is standard input.
    let inputs: [String]
    let console: Console
    /// Whether the crew may want no more before the end. Then no input is begun before all lines of the one before are
    /// done, so that what is read is the same for any number of threads.
    var mayStop = false

    /// What became of an input.
    struct Input {
        /// As messages name it.
        let name: String
        /// Why it was not read, or not to its end.
        var failure: CommandFailure?
    }

    /// Reads until everything was read or the crew wants no more; faults are reported, and the next input is read.
    ///
    /// - Returns: The inputs that were begun, in order.
    func run<Gatherer>(_ crew: ChunkCrew<Gatherer>) -> [Input] {
        var begun: [Input] = []
        for (place, path) in inputs.enumerated() where !crew.isDone {
            var input = Input(name: path == "-" ? "<stdin>" : path)
            do {
                try read(path, place, crew)
                if mayStop { crew.drain() }
            } catch {
                if mayStop { crew.drain() }
                // What was read ahead, past the line where the crew stopped, does not count.
                if !crew.isDone {
                    let failure = CommandFailure(error)
                    console.complain(failure.message)
                    input.failure = failure
                }
            }
            begun.append(input)
        }
        crew.finish()
        console.clearProgress()
        return begun
    }

    private func read<Gatherer>(_ path: String, _ place: Int, _ crew: ChunkCrew<Gatherer>) throws {
        func submit(_ chunk: LineChunk) {
            crew.submit(chunk)
            console.show(count: crew.lines)
        }
        let file = try LogFileBlocks(path: path)
        guard try DatabaseInput.isOne(file, path: path) else {
            var chunks = TextChunker(file, input: place)
            while !crew.isDone, let chunk = try chunks.next() { submit(chunk) }
            return
        }
        let reader = try EventLogReader(path: path)
        var chunks = RowChunker(input: place)
        defer { chunks.finish(submit) }
        try reader.forEach(withStamps: false) { event in
            chunks.feed(event, submit)
            return !crew.isDone
        }
    }
}
