internal import EventLog
internal import EventModel
internal import JSONLines
internal import LogFiles
internal import Tracking

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
