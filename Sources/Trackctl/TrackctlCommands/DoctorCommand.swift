internal import ArgumentParser
internal import CommandSupport
internal import JSONLines
internal import LogMaintenance

/// `trackctl doctor`: examines logs and repairs them.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the health of logs, advise, and repair.",
        discussion: """
            Examples:
              trackctl doctor events.sqlite
              trackctl doctor ~/app/tracking --thorough
              trackctl doctor events.sqlite --json
              trackctl doctor events.sqlite --fix --dry-run
              trackctl doctor events.sqlite --fix

            A log is a database, a file of JSON lines, or a folder with any number of both. Another process may have \
            it open. Without --fix, doctor writes nothing, except that SQLite may create the -shm file next to a log \
            that a killed process left behind. Each finding has a severity: ok; note (no action needed); warning \
            (action recommended); error (damaged or missing data).

            --fix makes only repairs that lose nothing: it moves the journals of ended processes into the database, \
            rebuilds a damaged database from everything readable, moves a torn last line into a separate file, adds \
            a missing final line feed, and renames an incomplete compressed file if the uncompressed file still \
            exists. Files next to an open log are left unchanged, because an app may be writing them. Damaged files \
            are moved aside, never removed. Then doctor examines the log again.

            Exit code 0: no warnings and no errors; 1: warnings or errors; 65: an input is not an event log, or is too \
            new; 66: an input does not exist; 74: a file cannot be read or written; 75: another program has locked the \
            log.
            """
    )

    @Argument(help: "Event logs, files of JSON lines, or folders with them.")
    var logs: [String]

    @Flag(help: "Read every line and compare every index instead of a sample.")
    var thorough = false

    @Flag(help: "Make all repairs that lose nothing.")
    var fix = false

    @Flag(help: "With --fix: print the planned repairs without making them.")
    var dryRun = false

    @Option(
        help: ArgumentHelp("Report backward clock jumps larger than this, such as 5m.", valueName: "duration"),
        transform: DurationText.duration)
    var clockJump = Duration.seconds(60)

    @Flag(name: .customLong("json"), help: "Print one JSON object per log, each on one line, instead of text.")
    var asJSON = false

    func validate() throws {
        guard fix || !dryRun else { throw ValidationError("--dry-run needs --fix") }
    }

    func run() async throws {
        var options = DoctorOptions(now: SelectionOptions.now)
        options.isThorough = thorough
        options.clockJump = clockJump
        let output = BufferedOutput.standardOutput()
        var status = ExitStatus.ok
        for path in logs {
            let log = await examine(path, LogDoctor(options))
            try write(log, to: output)
            if status == .ok, log.severity >= .warning { status = .findings }
            guard let failure = log.failure else { continue }
            try output.flush()
            Console.complain(failure.message)
            if status == .ok || status == .findings { status = failure.status }
        }
        try output.flush()
        if status != .ok { throw ExitCode(status.rawValue) }
    }

    /// Examines a log and, with `--fix`, repairs it. Keeps findings and steps from before a failure.
    private func examine(_ path: String, _ doctor: LogDoctor) async -> ExaminedLog {
        var findings: [Finding] = []
        var steps: [RepairStep] = []
        var failure: CommandFailure?
        do {
            findings = try doctor.examine(path)
            if fix {
                let repair = LogRepair(findings)
                if dryRun { steps = repair.plan } else { try await repair.run { steps.append($0) } }
                if !dryRun { findings = try doctor.examine(path) }
            }
        } catch {
            failure = CommandFailure(error)
        }
        return ExaminedLog(path: path, findings: findings, steps: steps, failure: failure)
    }

    private func write(_ log: ExaminedLog, to output: BufferedOutput) throws {
        guard asJSON else {
            for line in log.lines(isPlan: dryRun) { try output.write(line: line.utf8) }
            return
        }
        var json = JSONWriter()
        try log.json.write(to: &json)
        try output.write(line: json.bytes)
    }
}
