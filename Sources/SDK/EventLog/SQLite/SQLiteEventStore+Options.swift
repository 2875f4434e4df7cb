extension SQLiteEventStore {
    /// How a log file is made and written.
    public struct Options: Sendable {
        /// Makes the identity of a new log; not called for an existing one.
        public var installID: @Sendable () -> String
        /// How much is kept.
        public var retention: Retention
        /// Bytes that may wait in this instance's journal for the database, with 56 to 64 bytes beside each line.
        /// Disk space of that size is put aside when the log is opened. Default 4 MiB.
        public var maximumPendingBytes: Int
        /// Events in one transaction. Default 500.
        public var eventsPerTransaction: Int
        /// How long a statement waits for another program's lock. Default 5 s.
        public var busyTimeout: Duration
        /// Whether opening is refused, with ``EventLogError/Code/inUse``, while another writer has the log open. Others
        /// may still join later, unless they say the same. Default false.
        public var isExclusive = false
        /// When Apple systems let the files be used. Default ``FileProtection/untilFirstUnlock``.
        public var fileProtection = FileProtection.untilFirstUnlock
        /// Whether Apple systems leave the files out of backups. Default true: an install that is restored on a
        /// second device must not count on from the first one's numbers.
        public var isExcludedFromBackup = true

        /// How often a mover looks what others did to the log's files.
        var lookInterval = Duration.milliseconds(100)

        /// Makes options; see each property.
        public init(
            installID: @escaping @Sendable () -> String, retention: Retention = .standard,
            maximumPendingBytes: Int = 4 << 20, eventsPerTransaction: Int = 500, busyTimeout: Duration = .seconds(5)
        ) {
            self.installID = installID
            self.retention = retention
            self.maximumPendingBytes = maximumPendingBytes
            self.eventsPerTransaction = eventsPerTransaction
            self.busyTimeout = busyTimeout
        }

        /// The bytes of a journal's ring: room for the longest lines, whole pages on every system.
        var journalCapacity: Int {
            let page = 16 << 10
            return (max(maximumPendingBytes, 256 << 10) + page - 1) / page * page
        }
    }
}
