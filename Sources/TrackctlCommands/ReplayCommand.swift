internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import Tracking

/// `trackctl replay`: recorded events into a log or a file.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Puts recorded events into a log, a new file or standard output.",
        discussion: """
            Examples:
              trackctl replay events.jsonl.gz --to events.sqlite
              trackctl replay events.sqlite --to events.jsonl
              trackctl replay events.sqlite --to - | gzip > events.jsonl.gz

            An empty log takes the events byte for byte, with their install and numbers. In any other log, an \
            event whose id is known is skipped, and one of another install gets a new number; its line then says \
            where it came from. Replaying twice adds nothing.

            A line that holds no event is reported as file:line:column: reason, the rest goes on, and the exit \
            code is 65.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "An event log, made if its name ends in .sqlite or .db; a new file; or - for standard output.",
            valueName: "target"))
    var target: String

    func run() async throws {
        let destination = try ReplayDestination(path: target)
        let console = Console(sharesTerminal: destination == .standardOutput)
        let stream = EventStream(try EventRequest(paths: input.inputs, selection, window), console: console)
        guard stream.open() else { return try stream.conclude() }

        var target: any ReplayTarget
        do { target = try destination.open() } catch { throw CommandFailure(error) }
        var result = ReplayResult()
        do {
            var batches = ContainerBatches(stream)
            while let batch = try batches.next() { result += try await target.store(batch) }
            try await target.finish()
        } catch {
            await target.abandon()
            let failure = CommandFailure(error)
            console.complain(failure.message)
            throw CommandFailure(failure.status, "replayed \(result.summary); \(target.adviceAfterFailure)")
        }
        console.say("replayed \(result.summary)")
        try stream.conclude()
    }
}
