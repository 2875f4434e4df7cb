internal import ArgumentParser
internal import CommandSupport
internal import EventModel
internal import EventQuery
internal import LogFiles
internal import LogReplay
internal import TextRendering

/// The selected events as the source of a replay.
struct StreamSource: ReplaySource {
    private let makeStream: (_ isFirst: Bool) throws -> EventStream
    private let reading: LineReading
    /// The stream of the first pass. It reports errors at the end.
    let first: EventStream
    private var stream: EventStream
    /// The status of the first error in finished passes.
    private var status = ExitStatus.ok
    /// Lines skipped in finished passes after the first.
    private var laterIssues = 0
    private let scanner = EventLineScanner([.userID, .time])

    /// - Parameter makeStream: Called once for each pass.
    init(reading: LineReading, _ makeStream: @escaping (_ isFirst: Bool) throws -> EventStream) throws {
        self.makeStream = makeStream
        self.reading = reading
        first = try makeStream(true)
        stream = first
    }

    mutating func next(_ body: (SourceEvent) throws(CannotRewrite) -> Void) throws -> Bool {
        guard let chunk = try stream.next() else {
            if stream.isCutShort { try Interruption.check() }
            return false
        }
        chunk.forEachLine { line in
            let container = reading == .byShape ? nil : stream.container(line, of: chunk)
            guard container != nil || reading == .byShape, let event = stream.event(line, of: chunk, by: scanner) else {
                return true
            }
            do throws(CannotRewrite) {
                let purpose = line.standing.purpose
                let recorded = reading == .forRecords ? container?.recordedEvent.collected(for: purpose) : nil
                try body(SourceEvent(line: event, recorded: recorded, purpose: purpose))
            } catch {
                stream.leaveOut(line, of: chunk, error)
            }
            return true
        }
        return true
    }

    /// - Throws: ``CommandFailure`` if no input can be read any more.
    mutating func startAgain() throws {
        status = statusSoFar
        laterIssues = laterIssuesSoFar
        stream = try makeStream(false)
        guard !stream.open() else { return }
        try Interruption.check()
        throw CommandFailure(
            stream.status, "cannot start another pass: the inputs no longer exist; keep them until the replay ends")
    }

    /// Reports the number of skipped lines, and stores or prints the cursor.
    ///
    /// - Throws: `ExitCode` if there was an error in any pass; it has been reported.
    func conclude(_ console: Console) throws {
        try first.conclude()
        guard statusSoFar != .ok else { return }
        let issues = laterIssuesSoFar
        if issues > 0 {
            console.complain("skipped \(issues.counted("malformed line")) in later passes")
        }
        throw ExitCode(statusSoFar.rawValue)
    }

    private var statusSoFar: ExitStatus { status == .ok ? stream.status : status }
    private var laterIssuesSoFar: Int { laterIssues + (stream === first ? 0 : stream.faultyLines) }
}

/// How the lines of a replay are read.
enum LineReading {
    /// Only the members needed are read.
    case byShape
    /// Lines are parsed in full; malformed ones are reported and skipped.
    case whole
    /// Lines are parsed in full, and the parsed event is passed on with the line.
    case forRecords
}
