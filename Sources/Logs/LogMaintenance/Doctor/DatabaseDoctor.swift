internal import EventLog
internal import TextRendering

/// Examines an event log: its database, write-ahead log, journals and consumers.
struct DatabaseDoctor {
    private let path: String
    private let options: DoctorOptions

    init(_ path: String, _ options: DoctorOptions) {
        self.path = path
        self.options = options
    }

    /// The findings, and data for other checks.
    struct Result {
        var findings: [Finding] = []
        /// The log's install; nil if it cannot be read.
        var installID: String?
        /// The numbers that the ledger accounts for; nil if it cannot be read.
        var account: AccountedNumbers?
        /// The series of files that the log's consumers write.
        var series: Set<String> = []
    }

    /// - Throws: ``/EventLog/EventLogError`` for a file that is not an event log, is from a newer version, or cannot be
    ///   accessed. Damage is a finding.
    func examine() throws -> Result {
        var attempts = 0
        while true {
            attempts += 1
            var result = Result()
            let (header, database) = try opened()
            result.findings.append(header)
            guard let database else {
                // The journals may have events that the database lacks.
                result.findings += try JournalCheck(path).findings(after: 0, installID: nil)
                return result
            }
            do {
                try examine(database, &result)
            } catch let error as EventLogError where error.code == .corrupt {
                result.findings.append(damage(.databaseHeader, "a table of the log is unreadable"))
            }
            // If an app has opened the log meanwhile, examine it again as one that is being written.
            if !database.isDisturbed || attempts == 3 { return result }
        }
    }

    private func damage(_ check: Check, _ message: String) -> Finding {
        Finding(
            check, .error, at: path, message: message,
            advice: "run trackctl doctor --fix, or open the log: readable events are kept, and the file is moved aside",
            remedy: .salvage(database: path))
    }

    private func opened() throws -> (Finding, DatabaseExamination?) {
        let isThere = FileFacts(path) != nil
        if !isThere || FileFacts(path + ".salvaged") != nil {
            let what =
                isThere ? "an earlier rebuild was not completed" : "the database is missing, but its journals exist"
            let finding = Finding(
                .databaseHeader, .error, at: path, message: what,
                advice: "run trackctl doctor --fix, or open the log: it is rebuilt from the remaining files",
                remedy: .openLog(database: path))
            return (finding, nil)
        }
        let header = DatabaseHeader(path: path)
        if let issue = header?.lengthIssue { return (damage(.databaseHeader, issue), nil) }
        do {
            let database = try DatabaseExamination(path: path)
            let format = try database.format()
            let finding = Finding(
                .databaseHeader, .ok, at: path, message: "format \(format.version), pages of \(format.pageSize) bytes",
                numbers: ["version": Int64(format.version), "free_pages": Int64(format.freePages)])
            return (finding, database)
        } catch let error as EventLogError {
            // A file with journals, or one that consists of pages, is an event log, whatever its first page contains.
            let isOurs = FileFacts(JournalExamination.folder(of: path)) != nil || (header == nil && isMadeOfPages)
            guard error.code == .corrupt || (error.code == .notAnEventLog && isOurs) else { throw error }
            return (damage(.databaseHeader, "the first page is damaged"), nil)
        }
    }

    /// Whether a file has the length of a non-empty log, whose pages have 4096 bytes.
    private var isMadeOfPages: Bool {
        let size = FileFacts(path)?.size ?? 0
        return size >= 6 * 4096 && size.isMultiple(of: 4096)
    }

    private func examine(_ database: DatabaseExamination, _ result: inout Result) throws {
        result.findings.append(structure(database))
        let freePages = try database.format().freePages
        result.findings.append(
            Finding(
                .databaseFreePages, .ok, at: path, message: "\(freePages.counted("free page")), to be released",
                numbers: ["free_pages": Int64(freePages)]))
        result.findings += WriteAheadLogCheck.findings(path)
        let ledger = try database.ledger()
        let installID = try database.installID()
        result.installID = installID
        result.account = try database.undeliveredNumbers { $0.hasPrefix(SinkSeries.prefix) }
        let journals = JournalCheck(path)
        let lastSeq = try database.totals().lastSeq
        let (journalFindings, living) = try journals.examine(after: lastSeq, installID: installID)
        do {
            let rows = RowCheck(path, database: database, options: options)
            result.findings += try rows.findings()
            result.findings += try LineCheck(
                path, database: database, options: options, installs: try database.installs()
            ).findings()
        } catch let error as EventLogError where error.code == .corrupt {
            result.findings.append(damage(.databaseLines, "the events cannot be read to the end"))
        }
        result.findings += journalFindings
        let consumers = try database.consumers()
        result.findings += ConsumerCheck(path, options, livingRings: living).findings(consumers)
        result.findings += LedgerCheck.findings(ledger, path)
        result.findings += DeadLetterCheck.findings(try database.deadLetters(), path)
        result.findings += AnswerCheck.findings(try database.answers(), path)
        result.findings += HeldCheck.findings(try database.heldEvents(), path)
        result.findings += QuotaCheck.findings(path, removed: try database.removedFiles(), consumers: consumers)
        result.series = Set(consumers.compactMap { SinkSeries.name(ofConsumer: $0.cursor.consumer) })
    }

    private func structure(_ database: DatabaseExamination) -> Finding {
        let check = options.isThorough ? "integrity_check" : "quick_check"
        do {
            let issues = try database.structureIssues(thorough: options.isThorough)
            guard let first = issues.first else {
                return Finding(.databaseStructure, .ok, at: path, message: "\(check): no errors")
            }
            return damage(.databaseStructure, "\(check): \(first)" + (issues.count > 1 ? " and more" : ""))
        } catch {
            return damage(.databaseStructure, "\(check) cannot be completed")
        }
    }
}

/// The series of files that a file sink writes, by its consumer name.
enum SinkSeries {
    static let prefix = "file:"

    /// The series; nil for a consumer that is not a file sink.
    static func name(ofConsumer consumer: String) -> String? {
        consumer.hasPrefix(prefix) ? String(consumer.dropFirst(prefix.count)) : nil
    }
}
