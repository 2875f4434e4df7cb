/// What a check has found, good or bad, and what to do about it.
package struct Finding: Sendable {
    /// How bad it is.
    package enum Severity: String, Comparable, CaseIterable, Sendable {
        /// All is well.
        case ok
        /// Worth knowing; nothing needs to be done.
        case note
        /// Something should be done.
        case warning
        /// Something is damaged or missing.
        case error

        /// Orders by badness.
        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Which check it was.
    package let check: Check
    /// How bad it is.
    package let severity: Severity
    /// The file or folder that it is about.
    package let location: String
    /// What was found, with its numbers.
    package let message: String
    /// What to do about it; nil if there is nothing to do.
    package let advice: String?
    /// The numbers by name, for programs.
    package let numbers: [String: Int64]
    /// What ``LogRepair`` does about it; nil if that can do nothing.
    package let remedy: Remedy?

    init(
        _ check: Check, _ severity: Severity, _ location: String, _ message: String, advice: String? = nil,
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

/// What can be done about a finding without losing anything.
package enum Remedy: Hashable, Sendable {
    /// Opening the log once: its journals are moved, and what is damaged in it salvaged and put aside.
    case openLog(database: String)
    /// The same, after the whole structure has been looked through.
    case salvage(database: String)
    /// Cutting what stands behind the last line feed of a file, into a file of its own.
    case cutTornLine(file: String)
    /// Adding the line feed that a whole last line lacks.
    case endLastLine(file: LineFile)
    /// Writing a database anew without its free pages, so that it gives them back from then on.
    case compact(database: String)
    /// Giving a file another name, beside the file that it is an unfinished copy of.
    case setAside(file: String)
}

/// The checks of ``LogDoctor``. **Frozen**: a name is never changed or used for something else.
package enum Check: String, CaseIterable, Sendable {
    /// The database's header: whose file it is, its version, its length.
    case databaseHeader = "database-header"
    /// The structure, as SQLite checks it.
    case databaseStructure = "database-structure"
    /// Whether the file shrinks when events go.
    case databaseFreePages = "database-free-pages"
    /// Each line is a container, and says what its row says.
    case databaseLines = "database-lines"
    /// What the log counts is what is in it.
    case databaseTotals = "database-totals"
    /// Each number is an event's or in the ledger.
    case numbers = "numbers"
    /// The clock that events were timed with.
    case clock = "clock"
    /// The write-ahead log.
    case writeAheadLog = "write-ahead-log"
    /// The journals: whose they are, and what waits in them.
    case journal = "journal"
    /// The journals' files are whole.
    case journalFiles = "journal-files"
    /// What waits for a consumer.
    case consumerBacklog = "consumer-backlog"
    /// Who delivers to a consumer.
    case consumerHolder = "consumer-holder"
    /// How the deliveries to a consumer go.
    case consumerDelivery = "consumer-delivery"
    /// A file is as long as its consumer's checkpoint says.
    case consumerCheckpoint = "consumer-checkpoint"
    /// What was lost on purpose.
    case ledger = "ledger"
    /// What consumers have refused for good.
    case deadLetters = "dead-letters"
    /// A file of lines can be read, and each line holds an event.
    case fileLines = "file-lines"
    /// The numbers of a series of files.
    case fileNumbers = "file-numbers"
    /// The times in a series of files.
    case fileClock = "file-clock"
    /// Files that have gone for a quota.
    case quotas = "quotas"
    /// Files that a cut-short or damaged operation has left.
    case leftovers = "left-overs"
    /// Who may read the files.
    case permissions = "permissions"
    /// The room on the disk.
    case freeSpace = "free-space"
}
