internal import Dispatch

extension SQLiteEventStore {
    /// How a log is created and written.
    public struct Options: Sendable {
        /// Generates the identity of a new log; not called for an existing log.
        public var installID: @Sendable () -> String
        /// How many events to keep.
        public var retention: Retention
        /// How many quarantined files to keep, in folders `….damaged-1`, `….damaged-2` … next to the database. Applied
        /// when the log is pruned. Default ``FileQuota/damagedFiles``.
        public var damagedFiles = FileQuota.damagedFiles
        /// How many dead letters to keep. Default ``DeadLetterLimits/standard``.
        public var deadLetters = DeadLetterLimits.standard
        /// The maximum disk space for the log's journals, in bytes, including those of other instances. Events wait
        /// there for the database; each needs 56 to 64 bytes in addition to its line. A quarter is reserved for events
        /// of ``EventPriority/critical``. The journal starts with 4 MiB. It grows while events arrive faster than they
        /// are moved, as long as 16 MiB and a twentieth of the disk stay free. Within ten seconds after the load ends,
        /// the journal shrinks to 8 MiB. Default 64 MiB.
        public var maximumPendingBytes: Int
        /// The maximum number of events per transaction. Default 1,000.
        public var eventsPerTransaction: Int
        /// How long a statement waits for another program's lock. Default 5 s.
        public var busyTimeout: Duration
        /// Whether opening fails with ``EventLogError/Code/inUse`` while another writer has the log open. Other writers
        /// can still open it later, unless they also set this option. Default false.
        public var isExclusive = false
        /// When the files are accessible on Apple systems. Default ``FileProtection/untilFirstUnlock``.
        public var fileProtection = FileProtection.untilFirstUnlock
        /// Whether the files are excluded from backups on Apple systems. Default true: an install restored on a second
        /// device must not reuse the numbers of the first device.
        public var isExcludedFromBackup = true

        /// How other processes detect that this writer is alive. Default nil: a lock, except in an iOS app group's
        /// container. A heartbeat is used there, because iOS kills an app that is suspended with a lock on a shared
        /// file (0xdead10cc).
        public var liveness: Liveness?

        /// The background time for the log's work. Default ``SystemBackgroundTime``.
        public var backgroundTime: any BackgroundTime = .system

        /// ``backgroundTime``, shared by all work of an open log.
        var time = SharedBackgroundTime(UnlimitedBackgroundTime())

        /// How the log sees the system.
        package var system = LogSystem()

        /// How often a mover checks the log's files for changes by other programs.
        var checkInterval = Duration.milliseconds(100)

        /// How long the mover collects events between two moves.
        var movePause = DispatchTimeInterval.milliseconds(20)

        /// Makes options.
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

        /// How other processes detect that a writer is alive. A wrong result costs time, but never loses an event.
        public enum Liveness: Sendable {
            /// A lock on the writer's journal, held for the writer's life. Works in containers, after `fork`, and after
            /// `exec`.
            case lock
            /// A time in the journal that is renewed while events are moved. Other processes may consider a writer dead
            /// after a minute without activity; it then continues in a new journal.
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
