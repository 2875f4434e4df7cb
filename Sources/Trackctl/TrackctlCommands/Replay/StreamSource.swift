internal import ArgumentParser
internal import CommandSupport
internal import EventModel
internal import EventQuery
internal import LogFiles
internal import LogReplay
internal import TextRendering

/// The events that a command was asked for, on their way to a replay.
struct StreamSource: ReplaySource {
    private let makeStream: (_ isFirst: Bool) throws -> EventStream
    private let reading: LineReading
    /// The stream of the first pass: it tells in the end what was wrong.
    let first: EventStream
    private var stream: EventStream
    /// What was wrong first in the passes that are over.
    private var status = ExitStatus.ok
    /// Lines that were left out in the passes after the first one that are over.
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
                try body(SourceEvent(line: event, recorded: reading == .forRecords ? container?.recordedEvent : nil))
            } catch {
                stream.leaveOut(line, of: chunk, error)
            }
            return true
        }
        return true
    }

    /// - Throws: ``CommandFailure`` if nothing can be read any more.
    mutating func startAgain() throws {
        (status, laterIssues) = (statusSoFar, laterIssuesSoFar)
        stream = try makeStream(false)
        guard !stream.open() else { return }
        try Interruption.check()
        throw CommandFailure(
            stream.status, "there is nothing to read for another pass: leave the inputs where they are")
    }

    /// Says how many lines were left out, and keeps or tells the cursor.
    ///
    /// - Throws: `ExitCode` if anything was wrong in any pass; it has been reported.
    func conclude(_ console: Console) throws {
        try first.conclude()
        guard statusSoFar != .ok else { return }
        let issues = laterIssuesSoFar
        if issues > 0 {
            console.complain("\(issues.grouped) line\(issues == 1 ? "" : "s") of later passes held no event: left out")
        }
        throw ExitCode(statusSoFar.rawValue)
    }

    private var statusSoFar: ExitStatus { status == .ok ? stream.status : status }
    private var laterIssuesSoFar: Int { laterIssues + (stream === first ? 0 : stream.faultyLines) }
}

/// How the lines of a replay are read.
enum LineReading {
    /// By their shape, and not parsed whole.
    case byShape
    /// Parsed whole: what is no event is told and left out.
    case whole
    /// Parsed whole, and what was parsed goes on with the line.
    case forRecords
}
