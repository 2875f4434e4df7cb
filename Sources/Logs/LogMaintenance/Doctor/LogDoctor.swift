internal import EventLog
package import EventModel

/// Examines logs and the files next to them, and advises. Changes nothing. Other processes may write to the logs at the
/// same time.
package struct LogDoctor {
    private let options: DoctorOptions

    package init(_ options: DoctorOptions) { self.options = options }

    /// Examines a database, a file of lines or a folder.
    ///
    /// - Returns: The findings, in check order.
    /// - Throws: ``LogMaintenanceError``; ``/EventLog/EventLogError`` for a file that is not an event log, or is from a newer
    ///   version.
    package func examine(_ path: String) throws -> [Finding] {
        var inventory = try LogInventory(path)
        var findings: [Finding] = []
        var accounts: [String: AccountedNumbers] = [:]
        for database in inventory.databases {
            let result: DatabaseDoctor.Result
            do {
                result = try DatabaseDoctor(database, options).examine()
            } catch let error as EventLogError where database != path {
                // Continue with the other databases of the folder.
                findings.append(Self.leftOut(database, error))
                continue
            }
            findings += result.findings
            if let install = result.installID { accounts[install] = result.account }
            inventory.add(series: result.series)
        }
        let isBeingWritten = LivingWriters.exist(in: inventory.folder)
        let files = FileDoctor(options, accounts: accounts, isBeingWritten: isBeingWritten, named: path)
        findings += try files.examine(inventory.lineFiles)
        findings += LeftoverCheck.findings(inventory)
        findings += PermissionCheck.findings(inventory)
        findings += SpaceCheck.findings(inventory)
        return findings
    }

    private static func leftOut(_ database: String, _ error: EventLogError) -> Finding {
        guard error.code != .notAnEventLog else {
            return Finding(.databaseHeader, .note, at: database, message: "not an event log; skipped")
        }
        return Finding(
            .databaseHeader, .error, at: database, message: "not examined: \(error.message)",
            advice: "correct this, and run trackctl doctor again")
    }
}

/// The thoroughness and limits of ``LogDoctor``.
package struct DoctorOptions: Sendable {
    /// Whether to read every line and compare every index, rather than a sample.
    package var isThorough = false
    /// The largest clock step backwards, and the largest time in the future, that is not reported.
    package var clockJump = Duration.seconds(60)
    package var now: EventTime

    /// Creates options.
    package init(now: EventTime) { self.now = now }

    /// The age of a backlog above which a consumer is reported as late.
    static let lateAfter = Duration.seconds(86_400)
    /// The size above which a write-ahead log is reported to lack checkpoints: the mover truncates it to 4 MiB.
    static let largeWriteAheadLog: Int64 = 16 << 20
    /// The least free space that is not reported, unless the log is larger.
    static let littleSpace: Int64 = 100_000_000
    /// The number of lines in a sample.
    static let sampledLines: Int64 = 10_000
}
