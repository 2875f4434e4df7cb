internal import EventLog
package import EventModel

/// Examines logs and what lies beside them, and says what to do. Changes nothing, and works beside a writer.
package struct LogDoctor {
    private let options: DoctorOptions

    /// Makes a doctor.
    package init(_ options: DoctorOptions) { self.options = options }

    /// Examines a database, a file of lines or a folder.
    ///
    /// - Returns: The findings, in the order of the checks.
    /// - Throws: ``LogMaintenanceError``; ``/EventLog/EventLogError`` for a file that is no event log or from a newer version.
    package func examine(_ path: String) throws -> [Finding] {
        var inventory = try LogInventory(path)
        var findings: [Finding] = []
        var accounts: [String: AccountedNumbers] = [:]
        for database in inventory.databases {
            let result: DatabaseDoctor.Result
            do {
                result = try DatabaseDoctor(database, options).examine()
            } catch let error as EventLogError where database != path {
                // One of many: the others are examined all the same.
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
            return Finding(.databaseHeader, .note, database, "it is no event log, and was left out")
        }
        return Finding(
            .databaseHeader, .error, database, "it was not examined: \(error.message)",
            advice: "put that right, and run this again")
    }
}

/// How closely ``LogDoctor`` looks, and from when on it complains.
package struct DoctorOptions: Sendable {
    /// Whether every line is read and every index compared; otherwise lines are sampled.
    package var isThorough = false
    /// A step back in time by more than this, or a time so far in the future, is a jump of the clock.
    package var clockJump = Duration.seconds(60)
    /// What is late.
    package var now: EventTime

    /// Makes options.
    package init(now: EventTime) { self.now = now }

    /// An event that a consumer has not had after this time is late.
    static let lateAfter = Duration.seconds(86_400)
    /// A write-ahead log of more than this does not get its checkpoints: the mover cuts it back to 4 MiB.
    static let largeWriteAheadLog: Int64 = 16 << 20
    /// Free space below this, or below the log's size, is little.
    static let littleSpace: Int64 = 100_000_000
    /// How many lines are read if not all.
    static let sampledLines: Int64 = 10_000
}
