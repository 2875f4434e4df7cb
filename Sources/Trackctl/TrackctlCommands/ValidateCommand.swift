internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import LogFiles
internal import TrackingPlan

/// `trackctl validate`: every line against its schema.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Checks every line against the schemas of the tracking plan.",
        discussion: """
            Examples:
              trackctl validate events.sqlite
              trackctl validate monday.jsonl tuesday.jsonl.gz --schemas Schemas
              trackctl validate events.jsonl --format sarif > events.sarif
              trackctl validate events.jsonl --fail-on invalid,unknown,unused
              trackctl validate events.jsonl --rejects invalid.jsonl

            Inputs are read once, in flat memory, on all processors. What is found is grouped: findings that are \
            alike are counted, with the place of the first. Of the lines only names are printed, those of events and \
            properties, and no value.

            Formats: text; json (one object on one line, whose members only grow in number); github (annotations of \
            a workflow); junit (a suite for each input, a test case for each event); sarif (2.1.0).

            --fail-on takes invalid (a line is not what its schema asks for), unknown (the plan has no such event, \
            not in that version, or no such page), unused (an event of the plan is in no line; of an app's plan, the SDK's own events don't \
            count), or none. The exit code is 1 for \
            such findings, and that of the fault if an input cannot be read; then no event counts as unused.

            --rejects takes invalid lines as they are, but of a line past the limit of 32 KiB only the first 64 KiB.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions
    @OptionGroup var scan: ScanOptions

    @Option(help: "text, json, github, junit or sarif.")
    var format = ValidationFormat.text

    @Option(help: ArgumentHelp("What ends with exit code 1.", valueName: "classes"))
    var failOn = FailOn()

    @Option(help: ArgumentHelp("Stop reading after so many invalid lines.", valueName: "count"))
    var maxErrors: Int?

    @Option(help: ArgumentHelp("Write the invalid lines to this new file.", valueName: "file"))
    var rejects: String?

    func validate() throws {
        guard maxErrors ?? 1 > 0 else { throw ValidationError("--max-errors must be at least 1") }
    }

    func run() async throws {
        let scanned = try scan.plan()
        let (plan, compiled) = (scanned.plan, scanned.compiled)
        let maximum = maxErrors ?? .max
        let rejects = try rejects.map { try RejectsFile(path: $0) }
        let reducer = FindingReducer(events: plan.events.count, maximumInvalid: maximum, rejects: rejects)
        let keepsRejected = rejects != nil
        let pool = WorkerPool(jobs: scan.threads, reducer: reducer) {
            LineValidator(compiled, maximumInvalid: maximum, keepsRejected: keepsRejected)
        }
        let request = try EventRequest(paths: input.inputs, selection, window, collectors: collector.access)
        let read = try LineScan(request: request, console: Console(), mayStop: maxErrors != nil).run(pool)
        if let failure = reducer.failure { throw failure }
        try rejects?.finish(isComplete: read.inputs.allSatisfy { $0.failure == nil })
        let report = ValidationReport(
            plan: scanned, inputs: read.inputs, findings: reducer.inputs,
            failOn: failOn, stoppedAfter: reducer.isStopped ? maximum : nil)

        let output = BufferedOutput.standardOutput()
        for line in try format.lines(report) { try output.write(line: line.utf8) }
        try output.flush()
        try read.conclude()
        if report.isFailure { throw ExitCode(ExitStatus.findings.rawValue) }
    }
}

/// The file that invalid lines go to. It is made when the first one comes, or at the end if everything was read: without
/// it a run that failed can be tried again.
final class RejectsFile {
    private let path: String
    private var output: BufferedOutput?

    /// Plans a file; one that is there already is left alone.
    ///
    /// - Throws: ``CommandFailure``, `usage`, if it is there already.
    init(path: String) throws {
        self.path = path
        guard access(path, F_OK) != 0 else { throw Self.exists(path) }
    }

    deinit {
        if let output { close(output.descriptor) }
    }

    /// Adds lines, each with its line feed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; ``CommandFailure``, `usage`, if the file is there already.
    func write(_ lines: [UInt8]) throws {
        guard !lines.isEmpty else { return }
        let output = try started()
        for line in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            try output.write(line: line)
        }
    }

    /// Hands everything to the system.
    ///
    /// - Parameter isComplete: Whether everything was read, so that a file without a line says that all are valid.
    /// - Throws: `LogFileError`, `cannotWrite`; ``CommandFailure``, `usage`, if the file is there already.
    func finish(isComplete: Bool) throws {
        if isComplete { try started().flush() } else { try output?.flush() }
    }

    private func started() throws -> BufferedOutput {
        if let output { return output }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            guard errno != EEXIST else { throw Self.exists(path) }
            throw LogFileError.writing(path, errno)
        }
        let made = BufferedOutput(descriptor: descriptor, name: path)
        output = made
        return made
    }

    private static func exists(_ path: String) -> CommandFailure {
        CommandFailure(.usage, "\(path) exists already: choose another name for the rejects")
    }
}
