internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import LogFiles
internal import TrackingPlan

/// `trackctl validate`: checks lines against their schemas.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check every line against the schemas of the tracking plan.",
        discussion: """
            Examples:
              trackctl validate events.sqlite
              trackctl validate monday.jsonl tuesday.jsonl.gz --schemas Schemas
              trackctl validate events.jsonl --format sarif > events.sarif
              trackctl validate events.jsonl --fail-on invalid,unknown,unused
              trackctl validate events.jsonl --rejects invalid.jsonl

            Inputs are read once, in constant memory, on all processors. Findings of the same kind are grouped and \
            counted, with the location of the first. The report names events and properties, and never shows values.

            Formats: text; json (one object on one line; members are only added); github (workflow annotations); \
            junit (a suite per input, a test case per event); sarif (2.1.0).

            --fail-on: invalid (a line does not match its schema), unknown (the plan lacks the event, its version, or \
            the page), unused (an event of the plan was never seen; in an app's plan, the SDK's own events don't \
            count), or none. Exit code 1: there are such findings. If an input cannot be read, the error sets the exit \
            code, and unused events are not reported.

            --rejects writes the invalid lines unchanged; of a line longer than 64 KiB, it writes the first 64 KiB.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions
    @OptionGroup var scan: ScanOptions

    @Option(help: "text, json, github, junit or sarif.")
    var format = ValidationFormat.text

    @Option(help: ArgumentHelp("Findings that give exit code 1.", valueName: "classes"))
    var failOn = FailOn()

    @Option(help: ArgumentHelp("Stop after N invalid lines.", valueName: "count"))
    var maxErrors: Int?

    @Option(help: ArgumentHelp("New file for the invalid lines.", valueName: "file"))
    var rejects: String?

    func validate() throws {
        guard maxErrors ?? 1 > 0 else { throw ValidationError("--max-errors must be at least 1") }
    }

    func run() async throws {
        let scanned = try scan.plan()
        let plan = scanned.plan
        let compiled = scanned.compiled
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

/// The file for invalid lines. It is created with the first of them, or at the end if everything was read, so that
/// you can retry a failed run.
final class RejectsFile {
    private let path: String
    private var output: BufferedOutput?

    /// Plans a file. Existing files are never overwritten.
    ///
    /// - Throws: ``CommandFailure``, `usage`, if the file exists.
    init(path: String) throws {
        self.path = path
        guard access(path, F_OK) != 0 else { throw Self.exists(path) }
    }

    deinit {
        if let output { close(output.descriptor) }
    }

    /// Writes lines, each with its line feed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; ``CommandFailure``, `usage`, if the file exists.
    func write(_ lines: [UInt8]) throws {
        guard !lines.isEmpty else { return }
        let output = try started()
        for line in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            try output.write(line: line)
        }
    }

    /// Writes the buffer to the file.
    ///
    /// - Parameter isComplete: Whether all inputs were read. An empty file then means that all lines are valid.
    /// - Throws: `LogFileError`, `cannotWrite`; ``CommandFailure``, `usage`, if the file exists.
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
        CommandFailure(.usage, "\(path) exists: choose another file for --rejects")
    }
}
