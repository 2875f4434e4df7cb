internal import ArgumentParser
internal import CommandSupport
internal import JSONLines
internal import LogMaintenance

/// `trackctl doctor`: whether a log is well, and what to do if not.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examines logs and says what to do; repairs what can be repaired.",
        discussion: """
            Examples:
              trackctl doctor events.sqlite
              trackctl doctor ~/app/tracking --thorough
              trackctl doctor events.sqlite --json
              trackctl doctor events.sqlite --fix --dry-run
              trackctl doctor events.sqlite --fix

            A log is a database, a file of JSON lines, or a folder with any number of both. Without --fix nothing is \
            written (but the -shm file, by SQLite, beside a log that a killed process has left), and a log may be \
            open elsewhere. Each finding has a severity: ok; note (nothing needs to be \
            done); warning (something should be done); error (something is damaged or missing).

            --fix does what loses nothing: it moves the journals of ended processes into the database, makes a \
            damaged database anew of all that can be read, cuts a torn last line into a file of its own, adds the line \
            feed that a whole last line lacks, ends what was cut short, and writes a database of an earlier version anew, so \
            that it shrinks when events go. Files that an app may be writing, since a log beside them is open, stay as \
            they are. Damaged files are put aside, never removed. Then the log is \
            examined again.

            Exit code 0: no warning and no error; 1: some; 65: an input is no event log or too new; 66: there is no \
            such input; 74: a file cannot be read or written; 75: another program keeps the log locked.
            """
    )

    @Argument(help: "Event logs, files of JSON lines, or folders with them.")
    var logs: [String]

    @Flag(help: "Read every line and compare every index, instead of a sample.")
    var thorough = false

    @Flag(help: "Repair what can be repaired without losing anything.")
    var fix = false

    @Flag(help: "With --fix: say what would be done, and do nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp("A step back in time of more than this is a jump, such as 5m.", valueName: "duration"),
        transform: DurationText.duration)
    var clockJump = Duration.seconds(60)

    @Flag(name: .customLong("json"), help: "One JSON object a log on one line instead of text.")
    var asJSON = false

    func validate() throws {
        guard fix || !dryRun else { throw ValidationError("--dry-run needs --fix: without it nothing is done anyway") }
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

    /// Examines, and repairs if asked for; what was found and done before a failure is told all the same.
    private func examine(_ path: String, _ doctor: LogDoctor) async -> ExaminedLog {
        var (findings, steps): ([Finding], [RepairStep]) = ([], [])
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
