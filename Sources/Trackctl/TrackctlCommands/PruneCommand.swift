internal import ArgumentParser
internal import CommandSupport
internal import EventLog
internal import JSONLines
internal import LogFiles
internal import LogMaintenance

/// `trackctl prune`: removes old or excess events, or erases a user.
struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old events, or erase one user.",
        discussion: """
            Examples:
              trackctl prune events.sqlite --older-than 30d --dry-run
              trackctl prune events.sqlite --keep-bytes 100MB
              trackctl prune ~/app/tracking --older-than 12w --keep-events 1000000
              trackctl prune ~/app/tracking --user F3476B52-160D-4CB9-9022-DE3B34E732EC

            Limits remove the oldest events first. Events that a consumer has not received are kept, unless you pass \
            --even-unsent; they are then removed and counted in the ledger as evicted. Finished files of JSON lines \
            are removed whole, by the age of their newest event, or by modification time if they have none. An app may \
            have the log open; the file then keeps its size.

            --user erases all lines with this user_id from the log's whole folder: from the database with its journals \
            and write-ahead log, from files of JSON lines (plain, gzip, moved aside, dead letters, recordings of \
            actions), and from damaged files that were moved aside. Close the app first. The ledger counts the numbers \
            of these lines as erased. If a damaged file cannot be read to the end, its unreadable rest is removed, \
            too, because it may hold the user's lines. Files compressed with zstd are reported: decompress them first. \
            Then every byte of these files is searched for the id, and the location of each remaining occurrence is \
            reported. SQLite may store a line in fragments, so the events of a database are also checked one by one. \
            If the command is killed, the next run completes the erasure. The app's own storage is never changed: \
            reset the identity in the app.

            Exit code 0: done; 1: unsent events were kept, an old file is unreadable, or a trace of the user is left; \
            65: an input is not an event log, or needs trackctl doctor --fix first; 66: an input does not exist; 74: \
            a file cannot be read or written; 75: the log is open elsewhere.
            """
    )

    @Argument(help: "Event log, or folder with logs and their files.")
    var log: String

    @Option(
        help: ArgumentHelp("Remove events older than this, such as 30d.", valueName: "duration"),
        transform: DurationText.duration)
    var olderThan: Duration?

    @Option(help: ArgumentHelp("Keep at most this many bytes of lines, such as 100MB.", valueName: "bytes"))
    var keepBytes: ByteCount?

    @Option(help: ArgumentHelp("Keep at most N events.", valueName: "count"))
    var keepEvents: Int64?

    @Flag(help: "Also remove events that a consumer has not received.")
    var evenUnsent = false

    @Option(name: .customLong("user"), help: ArgumentHelp("Erase the user with this user_id.", valueName: "id"))
    var userID: String?

    @Flag(help: "With --user: also remove lines of other users that contain the id.")
    var mentions = false

    @Flag(help: "Print what would be removed, and remove nothing.")
    var dryRun = false

    @Flag(name: .customLong("json"), help: "Print one JSON object on one line instead of text.")
    var asJSON = false

    func validate() throws {
        let hasLimit = olderThan != nil || keepBytes != nil || keepEvents != nil
        guard hasLimit != (userID != nil) else {
            throw ValidationError("pass either limits (--older-than, --keep-bytes, --keep-events) or --user")
        }
        guard userID != "" else { throw ValidationError("--user must not be empty") }
        guard userID != nil || !mentions else { throw ValidationError("--mentions needs --user") }
        guard hasLimit || !evenUnsent else {
            throw ValidationError("--user always erases unsent events: remove --even-unsent")
        }
        guard keepEvents ?? 0 >= 0 else { throw ValidationError("--keep-events must not be negative") }
    }

    func run() async throws {
        if !dryRun { Interruption.listen() }
        if let userID { try await erase(userID) } else { try await trim() }
    }

    private func trim() async throws {
        let limits = Retention(maximumAge: olderThan, maximumCount: keepEvents, maximumBytes: keepBytes?.bytes)
        let now = SelectionOptions.now
        let pruner = LogPruner(log, limits: limits, includesUnsent: evenUnsent, now: now)
        let report = dryRun ? try pruner.examine() : try await pruner.run()
        try write(report.lines(isPlan: dryRun), report.json(isPlan: dryRun))
        if report.kept > 0 || !report.unreadable.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private func erase(_ userID: String) async throws {
        let erasure = try UserErasure(log, userID: userID, removesMentions: mentions)
        let report = dryRun ? try erasure.examine() : try await erasure.run()
        try write(report.lines(isPlan: dryRun), report.json(isPlan: dryRun))
        if !report.isComplete { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private func write(_ lines: [String], _ value: JSONValue) throws {
        let output = BufferedOutput.standardOutput()
        if asJSON {
            var json = JSONWriter()
            try value.write(to: &json)
            try output.write(line: json.bytes)
        } else {
            for line in lines { try output.write(line: line.utf8) }
        }
        try output.flush()
    }
}

/// A number of bytes on the command line: `500000`, `100MB` or `64MiB`.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int64

    private static let units: [String: Int64] = [
        "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
    ]

    init?(argument: String) {
        guard let match = argument.lowercased().wholeMatch(of: /(\d{1,18}) ?([kmg]?i?b?)/.asciiOnlyDigits()),
            let count = Int64(match.1), let unit = Self.units[String(match.2)]
        else { return nil }
        let (product, overflows) = count.multipliedReportingOverflow(by: unit)
        guard !overflows else { return nil }
        bytes = product
    }
}
