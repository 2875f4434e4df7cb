public import EventLog
internal import EventModel

extension ActionRecorder {
    /// How a recording is made.
    public struct Options: Sendable {
        /// The size of the file, in bytes: the entry that would make it larger ends the recording, with a mark that
        /// says so. Default 16 MiB, some tens of thousands of entries.
        public var maximumBytes: Int64 = 16 << 20
        /// When Apple systems let the file be used. Default ``FileProtection/untilFirstUnlock``, as the log's.
        public var fileProtection = FileProtection.untilFirstUnlock
        /// Whether Apple systems leave the file out of backups. Default true.
        public var isExcludedFromBackup = true

        /// Makes options; see each property.
        public init() {}
    }

    /// How a recording stands.
    public enum Status: Equatable, Sendable {
        /// It goes on.
        case recording
        /// It was closed.
        case closed
        /// It has reached ``Options/maximumBytes``.
        case full
        /// It could not be written, or an entry of this domain could not be encoded. What came before is in the file.
        case failed(reason: String)
    }
}
