internal import EventLog
internal import EventModel

/// An input that grows.
protocol Follower: AnyObject {
    /// The input as messages name it.
    var name: String { get }

    /// Of an event log, the install whose events these are.
    var installID: String? { get }

    /// The next lines that are there and have not been given out; nil if there are none yet.
    ///
    /// - Throws: `LogFileError`, `EventLogError` or `CommandFailure`.
    func next() throws -> LineChunk?
}
