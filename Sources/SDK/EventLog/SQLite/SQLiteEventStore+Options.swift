extension SQLiteEventStore {
    /// How a log file is made and written.
    public struct Options: Sendable {
        /// Makes the identity of a new log; not called for an existing one.
        public var installID: @Sendable () -> String
        /// How much is kept.
        public var retention: Retention
        /// How much is kept of damaged files that were put aside, in folders `….damaged-1`, `….damaged-2` … beside the
        /// database. Looked at with each pruning. Default ``FileQuota/damagedFiles``.
        public var damagedFiles = FileQuota.damagedFiles
        /// How much is kept of events that a consumer has refused for good. Default ``DeadLetterLimits/standard``.
        public var deadLetters = DeadLetterLimits.standard
        /// Bytes of disk that the log's journals may take, those of other instances included: events wait there for the
        /// database, with 56 to 64 bytes beside each line. A quarter is kept for events of ``EventPriority/critical``.
        /// The journal begins with 4 MiB, grows while events come faster than they are moved, as long as that leaves 16 MiB
        /// and a twentieth of the disk free, and is back at 8 MiB at most ten seconds after. Default 64 MiB.
        public var maximumPendingBytes: Int
        /// The most events in one transaction. Default 1,000.
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

        /// What shows other processes that this one still writes. Default nil: a heartbeat in an iOS app group's container,
        /// where the system ends an app that is suspended with a lock on a shared file (0xdead10cc), a lock elsewhere.
        public var liveness: Liveness?

        /// What keeps the system from suspending the process while the log works. Default: what the system gives to any
        /// program, see ``SystemBackgroundTime``.
        public var backgroundTime: any BackgroundTime = .system

        /// ``backgroundTime``, shared by all that an open log does.
        var time = SharedBackgroundTime(UnlimitedBackgroundTime())

        /// How often a mover looks what others did to the log's files.
        var lookInterval = Duration.milliseconds(100)

        /// Makes options; see each property.
        public init(
            installID: @escaping @Sendable () -> String, retention: Retention = .standard,
            maximumPendingBytes: Int = 64 << 20, eventsPerTransaction: Int = 1000, busyTimeout: Duration = .seconds(5)
        ) {
            self.installID = installID
            self.retention = retention
            self.maximumPendingBytes = maximumPendingBytes
            self.eventsPerTransaction = eventsPerTransaction
            self.busyTimeout = busyTimeout
        }

        /// What shows other processes that a writer is alive. A wrong verdict delays something, and loses nothing.
        public enum Liveness: Sendable {
            /// A lock on the writer's journal, held for its life: right in containers, after `fork` and after `exec`.
            case lock
            /// A time in the journal, renewed while events are moved. A writer that was still for a minute may be taken for
            /// dead; it goes on in a new journal then.
            case heartbeat
        }

        func liveness(at path: String) -> WriterIdentity.Liveness {
            switch liveness {
            case .lock?: return .lock
            case .heartbeat?: return .heartbeat
            case nil:
                #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
                    return path.contains("/Containers/Shared/AppGroup/") ? .heartbeat : .lock
                #else
                    return .lock
                #endif
            }
        }
    }
}
