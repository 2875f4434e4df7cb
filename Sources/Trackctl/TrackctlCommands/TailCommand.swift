internal import ArgumentParser
internal import CommandSupport
internal import EventFormats
internal import EventQuery
internal import Foundation
internal import LogFiles

/// `trackctl tail`: the last events, and those that come.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Shows the last events, and with -f each new one as it is sent.",
        discussion: """
            Examples:
              trackctl tail events.sqlite
              trackctl tail -f events.sqlite --event search
              trackctl tail -f logs/ --where 'event.value.page > 1' -n 100
              trackctl tail -f events.jsonl --cursor-file cursor >> copy.jsonl
              trackctl tail -f https://collector.example.com --token-file token

            An event log is followed while an app writes it, events in its journal included. A file is followed \
            through rotation: what was left in the old one comes first, then the new one. A folder is followed with \
            the files that come into it. A file that was cut is read from its start again, and that is said. What is not \
            there yet is waited for, if its folder is.

            On a terminal events are shown as a table, else as JSON lines; -o chooses.

            The system reports changes of files, so that nothing is polled. A collector is polled each second, not \
            before its Retry-After, and followed on when it was away. Ctrl-C ends it, with exit code 130.
            """
    )

    private static let defaultLast = 10

    @OptionGroup var input: InputOptions

    @Flag(name: [.customShort("f"), .long], help: "Go on with what comes.")
    var follow = false

    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "What is printed of each event: '%{time:rfc3339} %{event.name}'.", valueName: "template"),
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
                "-f follows files: read standard input by 'trackctl dump -', which passes lines on at once")
        }
        request.paths = input.inputs
        try request.checkCollectors()
        try TailRun(request, as: lines).run()
    }
}

/// Shows what is there, then what comes, until somebody interrupts it.
final class TailRun {
    /// After a change that brought nothing yet, such as a transaction that is being written: when it is looked again, in
    /// milliseconds.
    private static let looks: [Int32] = [2, 5, 10, 20, 40]
    /// In milliseconds: what no change has told, of a file system that tells nothing.
    private static let longestWait: Int32 = 1000

    private let request: EventRequest
    private let console = Console(sharesTerminal: true)
    private let writer: EventWriter
    private let watch: FolderWatch
    private var selector: LineSelector
    private var logs: [any FollowedInput] = []
    private var faultyLines = 0
    private var keptCursor = ""

    /// - Parameter format: nil for the lines as they are.
    /// - Throws: `LogFileError`, `EventLogError`, `DeliverySetupError`, ``CommandFailure``.
    init(_ request: EventRequest, as format: (any LineFormat)?) throws {
        self.request = request
        writer = try EventWriter(format, to: .standardOutput(for: format))
        watch = try FolderWatch()
        var following = request
        following.last = nil
        // What is there is chosen from its end; the limit holds for what is shown of it, too.
        if request.last != nil { following.limit = nil }
        selector = LineSelector(following)
        for (location, path) in request.paths.enumerated() {
            let console = console
            let notice = { (text: String) in console.say("trackctl: \(text)") }
            if let collectors = request.collectors, CollectorAddress.isOne(path) {
                let lines = CollectorLines(try collectors.client(path), input: location, selection: request.selection)
                logs.append(FollowedCollector(lines, notice: notice))
                continue
            }
            logs.append(
                try FollowedLog(
                    path, location: location, request: request, last: request.last, watch: watch, notice: notice))
        }
    }

    /// Returns when enough events were shown; else it ends with an exit code.
    func run() throws {
        Interruption.listen()
        try showLast()
        var look = 0
        while selector.left > 0, !Interruption.isRequested {
            if try show(write) {
                try writer.passOn()
                console.sayRest()
                try keepCursor()
                look = 0
            } else if look < Self.looks.count {
                usleep(useconds_t(Self.looks[look]) * 1000)
                look += 1
            } else if watch.wait(milliseconds: Self.longestWait) {
                look = 0
            } else {
                // A last look before the next wait.
                look = Self.looks.count - 1
            }
        }
        try writer.flush()
        console.sayRest()
        try keepCursor()
        if request.showsCursor, let cursor = selector.cursor { console.say("-- cursor: \(cursor)") }
        if Interruption.isRequested { throw ExitCode(ExitStatus.interrupted.rawValue) }
        if faultyLines > 0 { throw ExitCode(ExitStatus.dataError.rawValue) }
    }

    /// Shows the last ones of what is there, if only they are wanted.
    private func showLast() throws {
        guard request.last != nil else { return }
        let lines = LastLines(request.last)
        while try show({ chunk in
            try chunk.forEachLine { line in
                let head = LineSpool.Head(input: chunk.input, isDatabase: chunk.isDatabase, number: line.number)
                try lines.append(line.bytes, head)
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

    /// Shows everything new that is wanted.
    ///
    /// - Returns: Whether there was anything, wanted or not.
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
