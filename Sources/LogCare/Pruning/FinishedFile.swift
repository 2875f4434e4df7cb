internal import EventLog
internal import LogFiles
internal import Tracking

/// Looks how old the events of a finished file of lines are.
enum FinishedFile {
    /// How many events a file holds, and when the newest was sent.
    ///
    /// - Returns: Nil if a line of it holds no event, or it cannot be read to its end.
    static func newest(_ path: String) -> (events: Int64, time: EventTime)? {
        var (events, time): (Int64, EventTime?) = (0, nil)
        do {
            let reader = try LogFileReader(path: path)
            while let (line, _) = try reader.next() {
                guard case .complete(let bytes) = line else { return nil }
                let container = try RecordedContainer(line: bytes)
                events += 1
                time = max(time ?? container.time, container.time)
            }
        } catch {
            return nil
        }
        return time.map { (events, $0) }
    }
}
