internal import EventModel
internal import JSONLines
internal import LogFiles

/// What a pruning has removed, or would remove.
package struct PruneReport: Sendable {
    /// A log.
    package struct Log: Sendable {
        /// The database.
        package let path: String
        /// The events.
        package let trimming: LogTrimming
        /// Whether the file was written anew, so that its free pages went back to the disk.
        package let isCompacted: Bool
        /// Events in journals that were not looked at; 0 once they were moved.
        package let waiting: Int
    }

    /// A finished file of lines that went as a whole.
    package struct File: Sendable {
        /// The file.
        package let path: String
        /// Its events.
        package let events: Int64
        /// Its bytes.
        package let bytes: Int64
    }

    /// The logs.
    package var logs: [Log] = []
    /// The files of lines.
    package var files: [File] = []
    /// Files that are old by their name but cannot be read to their end: they stay.
    package var unreadable: [String] = []
    /// How much smaller the files have become.
    package var bytesFreed: Int64 = 0

    /// Events past the limits that stay, because a consumer has not had them.
    package var kept: Int64 { logs.reduce(0) { $0 + $1.trimming.kept } }
}

/// How many events a finished file of lines holds, and how old they are.
struct FinishedFile {
    /// Its events.
    private(set) var events: Int64 = 0
    /// When the newest of those that can be read was sent; nil without any.
    private(set) var newest: EventTime?
    /// Whether every line holds an event, to the file's end.
    private(set) var isWhole = true

    /// Reads a file, as far as it can be read.
    init(_ file: LineFile) {
        do {
            let reader = try LogFileReader(path: file.path)
            while let (line, _) = try reader.next() { take(line) }
        } catch {
            isWhole = false
        }
    }

    private mutating func take(_ line: LineSplitter.Line) {
        let container: RecordedContainer? =
            switch line {
            // Whole but for its line feed, perhaps.
            case .complete(let bytes), .torn(let bytes): try? RecordedContainer(line: bytes)  // nil: no event
            case .tooLong: nil
            }
        guard let container else {
            isWhole = false
            return
        }
        events += 1
        newest = max(newest ?? container.time, container.time)
    }
}
