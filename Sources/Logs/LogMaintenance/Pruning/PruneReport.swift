internal import EventModel
internal import JSONLines
internal import LogFiles

/// The result of a pruning, done or planned.
package struct PruneReport: Sendable {
    package struct Log: Sendable {
        package let path: String
        package let trimming: LogTrimming
        /// Whether the file was rewritten, which releases its free pages.
        package let isCompacted: Bool
        /// Events in journals that were not examined; 0 after the journals were moved.
        package let waiting: Int
    }

    /// A finished file of lines that was removed.
    package struct File: Sendable {
        package let path: String
        package let events: Int64
        /// The size in bytes.
        package let bytes: Int64
    }

    package var logs: [Log] = []
    /// The files of lines.
    package var files: [File] = []
    /// Files that were kept because they cannot be read to the end.
    package var unreadable: [String] = []
    /// How much smaller the files have become.
    package var bytesFreed: Int64 = 0

    /// Events past the limits that stay, because a consumer has not received them.
    package var kept: Int64 { logs.reduce(0) { $0 + $1.trimming.kept } }
}

/// The number and age of the events in a finished file of lines.
struct FinishedFile {
    private(set) var events: Int64 = 0
    /// The time of the newest readable event; nil if there are none.
    private(set) var newest: EventTime?
    /// Whether every line up to the end holds an event.
    private(set) var isWhole = true

    /// Reads a file as far as possible.
    init(_ file: LineFile) {
        do {
            let reader = try LogFileReader(path: file.path)
            while let (line, _) = try reader.next() { add(line) }
        } catch {
            isWhole = false
        }
    }

    private mutating func add(_ line: LineSplitter.Line) {
        let container: RecordedContainer? =
            switch line {
            // May lack only its line feed.
            case .complete(let bytes), .torn(let bytes): RecordedContainer(validating: bytes)  // nil: no event
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
