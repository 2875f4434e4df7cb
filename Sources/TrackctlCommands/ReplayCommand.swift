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

    private static let eventsPerBatch = 500
    private static let bytesPerBatch = 1 << 20

    @Argument(help: "An event log or a file of JSON lines, plain or gzip; - is standard input.")
    var file: String

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "An event log, made if its name ends in .sqlite or .db; a new file; or - for standard output.",
            valueName: "target"))
    var target: String

    func run() async throws {
        let destination = try ReplayDestination(path: target)
        let console = Console(sharesTerminal: destination == .standardOutput)
        let queue = InputQueue([file], console: console)
        guard queue.open() else { return try queue.conclude() }

        var target: any ReplayTarget
        do { target = try destination.open() } catch { throw CommandFailure(error) }
        var result = ReplayResult()
        do {
            while let batch = Self.batch(of: queue) { result += try await target.store(batch) }
            try await target.finish()
        } catch {
            await target.abandon()
            let failure = CommandFailure(error)
            console.complain(failure.message)
            throw CommandFailure(failure.status, "replayed \(result.summary); \(target.adviceAfterFailure)")
        }
        console.say("replayed \(result.summary)")
        try queue.conclude()
    }

    /// The next events, or nil if there are none left.
    private static func batch(of queue: InputQueue) -> [RecordedContainer]? {
        var batch: [RecordedContainer] = []
        var bytes = 0
        while batch.count < eventsPerBatch, bytes < bytesPerBatch, let container = queue.nextContainer() {
            batch.append(container)
            bytes += container.line.count
        }
        return batch.isEmpty ? nil : batch
    }
}
