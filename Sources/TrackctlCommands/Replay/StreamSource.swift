internal import CommandSupport
internal import EventQuery
internal import LogFiles
internal import LogReplay
internal import Tracking

/// The events that a command was asked for, on their way to a replay.
struct StreamSource: ReplaySource {
    private let makeStream: (_ isFirst: Bool) throws -> EventStream
    /// Whether every line is parsed whole.
    private let parses: Bool
    /// The stream of the first pass: it tells in the end what was wrong.
    let first: EventStream
    private var stream: EventStream
    private let scanner = EventLineScanner([.userID, .time])

    /// - Parameter makeStream: Called once for each pass.
    init(parses: Bool, _ makeStream: @escaping (_ isFirst: Bool) throws -> EventStream) throws {
        self.makeStream = makeStream
        self.parses = parses
        first = try makeStream(true)
        stream = first
    }

    mutating func next(_ body: (SourceEvent) throws(CannotRewrite) -> Void) throws -> Bool {
        guard let chunk = try stream.next() else {
            if stream.isCutShort { try Interruption.check() }
            return false
        }
        chunk.forEachLine { line in
            let container = parses ? stream.container(line, of: chunk) : nil
            guard container != nil || !parses, let event = stream.event(line, of: chunk, by: scanner) else {
                return true
            }
            do throws(CannotRewrite) {
                try body(SourceEvent(line: event, recorded: container?.recordedEvent))
            } catch {
                stream.leaveOut(line, of: chunk, error)
            }
            return true
        }
        return true
    }

    mutating func startAgain() throws { stream = try makeStream(false) }
}
