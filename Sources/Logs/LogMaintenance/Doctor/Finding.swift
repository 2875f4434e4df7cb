/// The outcome of a check, good or bad, with advice.
package struct Finding: Sendable {
    package enum Severity: String, Comparable, CaseIterable, Sendable {
        /// No problems.
        case ok
        /// Information; no action needed.
        case note
        /// Action recommended.
        case warning
        /// Data is damaged or missing.
        case error

        /// Orders by severity.
        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    package let check: Check
    package let severity: Severity
    /// The file or folder.
    package let location: String
    /// What was found.
    package let message: String
    /// What to do; nil if no action is needed.
    package let advice: String?
    /// The figures by name, for programs.
    package let numbers: [String: Int64]
    /// The repair by ``LogRepair``; nil if there is none.
    package let remedy: Remedy?

    init(
        _ check: Check, _ severity: Severity, at location: String, message: String, advice: String? = nil,
        numbers: [String: Int64] = [:], remedy: Remedy? = nil
    ) {
        self.check = check
        self.severity = severity
        self.location = location
        self.message = message
        self.advice = advice
        self.numbers = numbers
        self.remedy = remedy
    }
}

/// A repair that loses nothing.
package enum Remedy: Hashable, Sendable {
    /// Opens the log once: moves its journals into the database, rebuilds damaged parts, and moves damaged files
    /// aside.
    case openLog(database: String)
    /// Like ``openLog(database:)``, after a check of the whole structure.
    case salvage(database: String)
    /// Moves the bytes after the last line feed of a file into a separate file.
    case cutTornLine(file: String)
    /// Adds a missing final line feed.
    case endLastLine(file: LineFile)
    /// Renames a file that is an unfinished copy of another.
    case setAside(file: String)
}

/// The checks of ``LogDoctor``. **Frozen**: names are never changed or reused.
package enum Check: String, CaseIterable, Sendable {
    /// The database's header: format, version, length.
    case databaseHeader = "database-header"
    /// The structure, checked by SQLite.
    case databaseStructure = "database-structure"
    /// How many pages are free, to be released while the log is idle.
    case databaseFreePages = "database-free-pages"
    /// Each line is a container that matches its row.
    case databaseLines = "database-lines"
    /// The log's totals match its content.
    case databaseTotals = "database-totals"
    /// Each number has an event or is in the ledger.
    case numbers = "numbers"
    /// The clock of the events' times.
    case clock = "clock"
    /// The write-ahead log.
    case writeAheadLog = "write-ahead-log"
    /// The journals: their writers, and waiting events.
    case journal = "journal"
    /// The journals' files are intact.
    case journalFiles = "journal-files"
    /// Events that wait for a consumer.
    case consumerBacklog = "consumer-backlog"
    /// The process that delivers to a consumer.
    case consumerHolder = "consumer-holder"
    /// Failures and pauses of deliveries to a consumer.
    case consumerDelivery = "consumer-delivery"
    /// A file matches its consumer's checkpoint.
    case consumerCheckpoint = "consumer-checkpoint"
    /// Events that were dropped, by reason.
    case ledger = "ledger"
    /// Events that consumers have refused permanently.
    case deadLetters = "dead-letters"
    /// The answers about consent, newest first.
    case answers = "answers"
    /// Events that are not delivered because of their users' consent, by reason and purpose.
    case held = "held"
    /// A file of lines is readable, and each line holds an event.
    case fileLines = "file-lines"
    /// The numbers in a series of files.
    case fileNumbers = "file-numbers"
    /// The times in a series of files.
    case fileClock = "file-clock"
    /// Files that were removed for a quota.
    case quotas = "quotas"
    /// Leftovers of interrupted operations, and damaged files.
    case leftovers = "left-overs"
    /// Access to the files by other users.
    case permissions = "permissions"
    /// Free space on the disk.
    case freeSpace = "free-space"
}
