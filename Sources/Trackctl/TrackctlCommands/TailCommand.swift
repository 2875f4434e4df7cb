internal import ArgumentParser
internal import CommandSupport
internal import EventFormats
internal import EventQuery
internal import Foundation
internal import LogFiles

/// `trackctl tail`: shows the last events and follows new ones.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Show the last events; with -f, follow new ones.",
        discussion: """
            Examples:
              trackctl tail events.sqlite
              trackctl tail -f events.sqlite --event search
              trackctl tail -f logs/ --where 'event.value.page > 1' -n 100
              trackctl tail -f events.jsonl --cursor-file cursor >> copy.jsonl
              trackctl tail -f https://collector.example.com --token-file token

            An event log is followed while an app writes it, including events in its journal. A file is followed \
            through rotation: first the rest of the old file, then the new one. In a folder, new files are followed, \
            too. A truncated file is read again from the start, with a message. If an input is missing but its folder \
            exists, tail -f waits for it.

            On a terminal, events are shown as a table, otherwise as JSON lines; -o overrides this.

            Files are watched, not polled. A collector is polled every second, or after the delay in its Retry-After; \
            after an outage, polling resumes. Ctrl-C ends tail -f with exit code 130.
            """
    )

    private static let defaultLast = 10

    @OptionGroup var input: InputOptions

    @Flag(name: [.customShort("f"), .long], help: "Follow new events.")
    var follow = false

    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "Template for each event: '%{time:rfc3339} %{event.name}'.", valueName: "template"),
        transform: { try TypedOption.read($0, Template.init) })
    var format: Template?

    func run() async throws {
        var request = try EventRequest(
            paths: follow ? [] : input.inputs, selection, window, collectors: collector.access)
        if request.selection.after == nil { request.last = request.last ?? Self.defaultLast }
        let lines = try output.format(
            template: format, standard: Terminal.isOutput ? .table : .jsonl, isFollowing: follow)
        guard follow else { return try LinesOutput.write(request, as: lines) }
        guard !input.inputs.contains("-") else {
            throw ValidationError(
                "-f cannot follow standard input: use 'trackctl dump -', which passes lines on immediately")
        }
        request.paths = input.inputs
        try request.checkCollectors()
        try TailRun(request, as: lines).run()
    }
}

/// Shows existing events, then follows new ones until interrupted.
final class TailRun {
    /// The delays of checks after a change that brought no events yet, such as an open transaction, in milliseconds.
    private static let delays: [Int32] = [2, 5, 10, 20, 40]
    /// The longest wait for a change, in milliseconds, for file systems that don't report changes.
    private static let longestWait: Int32 = 1000

    private let request: EventRequest
    private let console = Console(sharesTerminal: true)
    private let writer: EventWriter
    private let watch: FolderWatch
    private var selector: LineSelector
    private var logs: [any FollowedInput] = []
    private var faultyLines = 0
    private var keptCursor = ""

    /// - Parameter format: nil to write lines unchanged.
    /// - Throws: `LogFileError`, `EventLogError`, `DeliverySetupError`, ``CommandFailure``.
    init(_ request: EventRequest, as format: (any LineFormat)?) throws {
        self.request = request
        writer = try EventWriter(format, to: .standardOutput(for: format))
        watch = try FolderWatch()
        var following = request
        following.last = nil
        // The existing events are taken from the end; the limit includes them.
        if request.last != nil { following.limit = nil }
        selector = LineSelector(following)
        let console = console
        logs = try request.followedInputs(watch, last: request.last) { console.say("trackctl: \($0)") }
    }

    /// Returns when enough events were shown; otherwise throws an exit code.
    func run() throws {
        Interruption.listen()
        try showLast()
        var check = 0
        while selector.left > 0, !Interruption.isRequested {
            if try show(write) {
                try writer.passOn()
                console.sayRest()
                try keepCursor()
                check = 0
            } else if check < Self.delays.count {
                usleep(useconds_t(Self.delays[check]) * 1000)
                check += 1
            } else if watch.wait(milliseconds: Self.longestWait) {
                check = 0
            } else {
                // Check once more before the next wait.
                check = Self.delays.count - 1
            }
        }
        try writer.flush()
        console.sayRest()
        try keepCursor()
        if request.showsCursor, let cursor = selector.cursor { console.say("-- cursor: \(cursor)") }
        if Interruption.isRequested { throw ExitCode(ExitStatus.interrupted.rawValue) }
        if faultyLines > 0 { throw ExitCode(ExitStatus.dataError.rawValue) }
    }

    /// Shows the last existing events, if `--last` is set.
    private func showLast() throws {
        guard request.last != nil else { return }
        let lines = LastLines(request.last)
        while try show({ chunk in
            try chunk.forEachLine { line in
                try lines.append(line.bytes, LineSpool.Head(of: line, in: chunk))
                return true
            }
        }) {}
        var chunks = lines.chunks(reversed: false, limit: request.limit ?? .max)
        var shown = 0
        while let chunk = try chunks.next() {
            shown += chunk.rows?.count ?? 0
            try write(chunk)
        }
        if let limit = request.limit { selector.limit(to: limit - shown) }
        try writer.passOn()
        try keepCursor()
    }

    private func write(_ chunk: LineChunk) throws {
        try writer.write(chunk, of: request.name(ofInput: chunk.input), issue: note)
    }

    private func note(_ issue: InputError) {
        faultyLines += 1
        console.sayFolded("\(issue)")
    }

    /// Shows all new selected events.
    ///
    /// - Returns: Whether there were new events, selected or not.
    private func show(_ body: (LineChunk) throws -> Void) throws -> Bool {
        var isNew = false
        for log in logs {
            let hasNew = try log.read { chunk, follower in
                var chunk = chunk
                selector.select(&chunk, of: follower.name, install: follower.installID, issue: note)
                if chunk.rows?.isEmpty == false { try body(chunk) }
                return selector.left > 0 && !Interruption.isRequested
            }
            isNew = isNew || hasNew
            if selector.left == 0 || Interruption.isRequested { return false }
        }
        return isNew
    }

    private func keepCursor() throws {
        guard let file = request.cursorFile, let cursor = selector.cursor, !cursor.isEmpty else { return }
        let text = cursor.description
        if text != keptCursor { try file.write(cursor) }
        keptCursor = text
    }
}
