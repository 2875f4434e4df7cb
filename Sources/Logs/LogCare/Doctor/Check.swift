/// The checks of ``LogDoctor``. **Frozen**: a name is never changed or used for something else.
package enum Check: String, CaseIterable, Sendable {
    /// The database's header: whose file it is, its version, its length.
    case databaseHeader = "database-header"
    /// The structure, as SQLite checks it.
    case databaseStructure = "database-structure"
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
    /// A file is as long as its consumer's checkpoint says.
    case consumerCheckpoint = "consumer-checkpoint"
    /// What was lost on purpose.
    case ledger = "ledger"
    /// A file of lines can be read, and each line holds an event.
    case fileLines = "file-lines"
    /// The numbers of a series of files.
    case fileNumbers = "file-numbers"
    /// The times in a series of files.
    case fileClock = "file-clock"
    /// Files that a cut-short or damaged operation has left.
    case leftovers = "left-overs"
    /// Who may read the files.
    case permissions = "permissions"
    /// The room on the disk.
    case freeSpace = "free-space"
}
