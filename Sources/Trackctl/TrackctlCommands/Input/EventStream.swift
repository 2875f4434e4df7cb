internal import ArgumentParser
internal import CommandSupport
internal import EventModel
internal import EventQuery
internal import LogFiles
internal import TextRendering

/// The events that a command was asked for, chunk by chunk. What is at fault is reported, and the rest goes on.
final class EventStream {
    /// What became of an input.
    struct Input {
        /// As messages name it.
        let name: String
        /// Why it was not read, or not to its end.
        fileprivate(set) var failure: CommandFailure?
    }

    private let request: EventRequest
    private let console: Console
    private let isChecked: Bool
    private let atEnd: (EventSource) throws -> Void
    private let atBorder: () -> Bool
    private var selector: LineSelector
    private var source: EventSource?
    private var window: LastLines.LineChunks?
    private var letters = DeadLetterOpener()
    private let tellsIssues: Bool
    /// Lines that were left out so far.
    private(set) var faultyLines = 0
    /// Whether a signal has come before the end.
    private(set) var isCutShort = false
    /// What was wrong first.
    private(set) var status = ExitStatus.ok
    /// The inputs that were begun, in order.
    private(set) var inputs: [Input] = []

    /// - Parameters:
    ///   - isChecked: Whether every line is checked by whoever takes the chunks: then, if all lines are asked for, they
    ///     are not looked at here.
    ///   - tellsIssues: Whether each line that is left out is told, and not only counted.
    ///   - atEnd: Called with each input that was read to its end.
    ///   - atBorder: Called before an input is begun, and before a fault of one is told; no more is read if it answers
    ///     false.
    init(
        _ request: EventRequest, console: Console, isChecked: Bool = false, tellsIssues: Bool = true,
        atEnd: @escaping (EventSource) throws -> Void = { _ in }, atBorder: @escaping () -> Bool = { true }
    ) {
        self.request = request
        self.console = console
        self.isChecked = isChecked
        self.tellsIssues = tellsIssues
        self.atEnd = atEnd
        self.atBorder = atBorder
        selector = LineSelector(request)
        if console.showsProgress { console.expectedBytes = request.expectedBytes }
    }

    /// Whether what was given out last should not wait for what comes next.
    var isLive: Bool { window == nil && source?.isLive ?? false }

    /// Opens the first input that can be opened.
    ///
    /// - Returns: false if there is none.
    func open() -> Bool { openSource() != nil }

    /// The next lines, all of one input; nil at the end.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`, if there is no room for what must be kept until the end.
    func next() throws -> LineChunk? {
        guard request.last != nil || request.isReversed else { return nextSelected() }
        if window == nil { window = try keepLast() }
        // The last ones of a part are not what was asked for.
        return isInterrupted() ? nil : try window?.next()
    }

    private func isInterrupted() -> Bool {
        if Interruption.isRequested { isCutShort = true }
        return isCutShort
    }

    /// Reads everything, and keeps the end of it.
    private func keepLast() throws -> LastLines.LineChunks {
        let lines = LastLines(request.last)
        while let chunk = nextSelected() {
            try chunk.forEachLine { line in
                let head = LineSpool.Head(input: chunk.input, isDatabase: chunk.isDatabase, number: line.number)
                try lines.append(line.bytes, head)
                return true
            }
        }
        return lines.chunks(reversed: request.isReversed, limit: request.limit ?? .max)
    }

    private func nextSelected() -> LineChunk? {
        while selector.left > 0, let source = openSource() {
            do {
                let next = try source.next()
                // What was read last is not looked at: it counts as not read.
                if isInterrupted() { return nil }
                if var chunk = next {
                    console.count(bytes: chunk.bytes.count)
                    if request.holdsDeadLetters { letters.open(&chunk, name: source.name) { note($0) } }
                    if isChecked && request.isOpen { return chunk }
                    selector.select(&chunk, of: source.name, install: source.installID) { note($0) }
                    if chunk.rows?.isEmpty == false { return chunk }
                } else {
                    self.source = nil
                    try atEnd(source)
                }
            } catch {
                self.source = nil
                // What a signal breaks off is not at fault.
                guard !Interruption.isRequested, atBorder() else { return nil }
                report(error)
            }
        }
        return nil
    }

    /// The input that is being read, or the next that can be opened.
    private func openSource() -> EventSource? {
        while source == nil, inputs.count < request.paths.count, atBorder() {
            let location = inputs.count
            inputs.append(Input(name: request.name(ofInput: location)))
            do {
                source = try EventSource(
                    path: request.paths[location], location: location, collectors: request.collectors,
                    selection: request.selection, letters: request.readsDeadLetters,
                    longest: isChecked ? TextChunker.longestChecked : LogFileReader.maximumLineLength + 1)
            } catch {
                // A pipe that nobody writes to cannot be opened when a signal comes.
                guard atBorder(), !isInterrupted() else { return nil }
                report(error)
            }
        }
        return source
    }

    /// Says how many lines were left out, and keeps or tells the cursor.
    ///
    /// - Throws: `ExitCode` if anything was wrong; it has been reported.
    func conclude() throws {
        console.clearProgress()
        console.sayRest()
        let cursor = cursorToKeep
        if let cursor {
            try request.cursorFile?.write(cursor)
            if request.showsCursor { console.say("-- cursor: \(cursor)") }
        }
        if faultyLines > 0 {
            console.complain("\(faultyLines.grouped) faulty line\(faultyLines == 1 ? " was" : "s were") left out")
        }
        if isCutShort {
            let goOn =
                cursor.map { "; go on with --after-cursor '\($0)'" }
                ?? (request.tracksCursor ? ": start again" : ": start again, or keep the place with --cursor-file")
            console.complain("ended by a signal before the end of the input\(goOn)")
            throw ExitCode(ExitStatus.interrupted.rawValue)
        }
        if status != .ok { throw ExitCode(status.rawValue) }
    }

    /// The place to go on from; nil if nobody wants to know, or if events before it have not been given out: those of an
    /// input that could not be read to its end, and those that are only given out at the end.
    private var cursorToKeep: EventCursor? {
        let isCut = Interruption.isRequested && (request.last != nil || request.isReversed)
        guard let cursor = selector.cursor, !cursor.isEmpty, !isCut, inputs.allSatisfy({ $0.failure == nil }) else {
            return nil
        }
        return cursor
    }

    /// A line of a chunk, parsed whole; nil if it holds no event, which is reported.
    func container(_ line: LineChunk.Line, of chunk: LineChunk) -> RecordedContainer? {
        do {
            return try RecordedContainer(line: Array(line.bytes))
        } catch {
            leaveOut(line, of: chunk, error)
            return nil
        }
    }

    /// Counts lines that hold no event, which somebody else has reported.
    func noteIssues(_ count: Int) {
        faultyLines += count
        if count > 0 { fail(.dataError) }
    }

    /// Where the members stand in a line of a chunk; nil if it holds no event, which is reported.
    func event(_ line: LineChunk.Line, of chunk: LineChunk, by scanner: EventLineScanner) -> EventLine? {
        do {
            return try scanner.scan(line.bytes)
        } catch {
            leaveOut(line, of: chunk, error)
            return nil
        }
    }

    /// Reports a line that is of no use, and why.
    func leaveOut(_ line: LineChunk.Line, of chunk: LineChunk, _ error: any Error) {
        note(InputError(error, input: inputs[chunk.input].name, line: line.number))
    }

    /// Reports a line that is left out.
    func note(_ issue: InputError) {
        faultyLines += 1
        if tellsIssues { console.sayFolded("\(issue)") }
        fail(.dataError)
    }

    private func report(_ error: any Error) {
        let failure = CommandFailure(error)
        inputs[inputs.count - 1].failure = failure
        console.complain(failure.message)
        fail(failure.status)
    }

    private func fail(_ status: ExitStatus) {
        if self.status == .ok { self.status = status }
    }
}
