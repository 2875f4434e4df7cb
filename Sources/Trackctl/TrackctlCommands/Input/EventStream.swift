internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import EventModel
internal import EventQuery
internal import LogFiles
internal import TextRendering

/// Streams the selected events in chunks. Reports errors and continues.
final class EventStream {
    /// The outcome of an input.
    struct Input {
        /// The input's name in messages.
        let name: String
        /// Why the input was not read, or not to the end.
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
    /// Lines skipped so far.
    private(set) var faultyLines = 0
    /// Whether a signal interrupted the stream.
    private(set) var isCutShort = false
    /// The status of the first error.
    private(set) var status = ExitStatus.ok
    /// The inputs opened so far, in order.
    private(set) var inputs: [Input] = []

    /// - Parameters:
    /// - isChecked: Whether the consumer checks every line. If all lines are selected, the stream then does not scan
    ///   them.
    /// - tellsIssues: Whether to report each skipped line, rather than only count it.
    /// - atEnd: Called with each input that was read to its end.
    /// - atBorder: Called before an input is opened, and before one of its errors is reported. Return false to stop.
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

    /// Whether to write output immediately, because the next input may take long.
    var isLive: Bool { window == nil && source?.isLive ?? false }

    /// Opens the first input that can be opened.
    ///
    /// - Returns: false if there is none.
    func open() -> Bool { openSource() != nil }

    /// The next lines, all from one input; nil at the end.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`, if temporary files cannot be written.
    func next() throws -> LineChunk? {
        guard request.last != nil || request.isReversed else { return nextSelected() }
        if window == nil { window = try keepLast() }
        // After an interruption, the last events read so far would be the wrong ones.
        return isInterrupted() ? nil : try window?.next()
    }

    private func isInterrupted() -> Bool {
        if Interruption.isRequested { isCutShort = true }
        return isCutShort
    }

    /// Reads everything and keeps the last lines.
    private func keepLast() throws -> LastLines.LineChunks {
        let lines = LastLines(request.last)
        while let chunk = nextSelected() {
            try chunk.forEachLine { line in
                try lines.append(line.bytes, LineSpool.Head(of: line, in: chunk))
                return true
            }
        }
        return lines.chunks(reversed: request.isReversed, limit: request.limit ?? .max)
    }

    private func nextSelected() -> LineChunk? {
        while selector.left > 0, let source = openSource() {
            do {
                let next = try source.next()
                // Discard the chunk: after an interruption it counts as unread.
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
                // An error caused by the signal is not an error of the input.
                guard !Interruption.isRequested, atBorder() else { return nil }
                report(error)
            }
        }
        return nil
    }

    /// The current input, or the next that can be opened.
    private func openSource() -> EventSource? {
        while source == nil, inputs.count < request.paths.count, atBorder() {
            let location = inputs.count
            inputs.append(Input(name: request.name(ofInput: location)))
            do {
                source = try EventSource(
                    path: request.paths[location], location: location, collectors: request.collectors,
                    selection: request.selection, letters: request.readsDeadLetters, held: request.held,
                    longest: isChecked ? TextChunker.longestChecked : LogFileReader.maximumLineLength + 1)
            } catch {
                // Opening a pipe without a writer blocks until a signal.
                guard atBorder(), !isInterrupted() else { return nil }
                report(error)
            }
        }
        return source
    }

    /// `left out 3 events: 2 consent-unknown for ads, 1 opted-out for analytics`; nil if no event was left out.
    private var held: String? {
        guard !selector.held.isEmpty else { return nil }
        let total = selector.held.values.reduce(0, +).counted("event")
        let parts = selector.held.sorted { $0.key < $1.key }.map { held, count in
            "\(count.grouped) \(held.reason.rawValue) for \(held.purpose)"
        }
        return (request.held == .only ? "\(total) held: " : "left out \(total): ") + parts.joined(separator: ", ")
    }

    /// Reports the number of skipped lines and of left out events, and stores or prints the cursor.
    ///
    /// - Throws: `ExitCode` if there was an error; it has been reported.
    func conclude() throws {
        console.clearProgress()
        console.sayRest()
        if let held { console.complain(held) }
        let cursor = cursorToKeep
        if let cursor {
            try request.cursorFile?.write(cursor)
            if request.showsCursor { console.say("-- cursor: \(cursor)") }
        }
        if faultyLines > 0 {
            console.complain("skipped \(faultyLines.counted("malformed line"))")
        }
        if isCutShort {
            let advice =
                cursor.map { "; to continue, pass --after-cursor '\($0)'" }
                ?? (request.tracksCursor ? ": start again" : ": start again, or use --cursor-file to continue later")
            console.complain("interrupted before the end of the input\(advice)")
            throw ExitCode(ExitStatus.interrupted.rawValue)
        }
        if status != .ok { throw ExitCode(status.rawValue) }
    }

    /// The cursor to continue from. Nil if the request has none, or if earlier events are missing from the output: an
    /// input could not be read to its end, or the output would only have been written at the end.
    private var cursorToKeep: EventCursor? {
        let isCut = Interruption.isRequested && (request.last != nil || request.isReversed)
        guard let cursor = selector.cursor, !cursor.isEmpty, !isCut, inputs.allSatisfy({ $0.failure == nil }) else {
            return nil
        }
        return cursor
    }

    /// Parses a line of a chunk in full; reports the line and returns nil if it holds no event.
    func container(_ line: LineChunk.Line, of chunk: LineChunk) -> RecordedContainer? {
        do {
            return try RecordedContainer(line: Array(line.bytes))
        } catch {
            leaveOut(line, of: chunk, error)
            return nil
        }
    }

    /// Counts malformed lines that the caller has reported.
    func noteIssues(_ count: Int) {
        faultyLines += count
        if count > 0 { fail(.dataError) }
    }

    /// Scans a line of a chunk; reports the line and returns nil if it holds no event.
    func event(_ line: LineChunk.Line, of chunk: LineChunk, by scanner: EventLineScanner) -> EventLine? {
        do {
            return try scanner.scan(line.bytes)
        } catch {
            leaveOut(line, of: chunk, error)
            return nil
        }
    }

    /// Reports and skips a line.
    func leaveOut(_ line: LineChunk.Line, of chunk: LineChunk, _ error: any Error) {
        note(InputError(error, input: inputs[chunk.input].name, line: line.number))
    }

    /// Reports and counts a skipped line.
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
