internal import CommandSupport
internal import EventLog
internal import LogFiles
internal import Tracking

/// An input of a command, opened by its content: an event log or lines.
protocol EventInput: AnyObject {
    /// The input as messages name it.
    var name: String { get }

    /// Shows every event, with the exact bytes of its line, until `body` answers false.
    ///
    /// - Parameters:
    ///   - withStamps: Whether `body` wants times and names.
    ///   - fault: Told of each line that is left out.
    func forEachEvent(
        withStamps: Bool, fault: (InputFault) -> Void, _ body: (BorrowedEvent) throws -> Bool
    ) throws

    /// The next event, its line parsed; nil at the end.
    func nextContainer() throws -> InputEntry<RecordedContainer>?

    /// What the log lost on purpose; nothing for lines.
    func ledger() throws -> [LedgerEntry]
}

/// Opens an input.
///
/// - Parameter path: A file, or `-` for standard input.
/// - Throws: `EventLogError`, `LogFileError` or ``CommandFailure``.
func openInput(_ path: String) throws -> any EventInput {
    let file = try LogFileBlocks(path: path)
    return try DatabaseInput.isOne(file, path: path)
        ? DatabaseInput(path: path) : LineInput(LogFileReader(file))
}
