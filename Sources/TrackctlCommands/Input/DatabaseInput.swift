internal import CommandSupport
internal import EventLog
internal import LogFiles
internal import Tracking

/// The events of an event log, read in batches beside whoever writes it.
final class DatabaseInput: EventInput {
    let name: String
    private let reader: EventLogReader
    private var batch: ArraySlice<EventRecord> = []
    private var lastSeq: Int64 = 0

    /// Whether a file's name says that it is a database.
    static func isNamedLikeOne(_ path: String) -> Bool {
        [".sqlite", ".sqlite3", ".db"].contains { path.lowercased().hasSuffix($0) }
    }

    /// Whether a file is a database.
    ///
    /// - Throws: ``CommandFailure``, `dataAtFault`, for a database that cannot be opened, and for a file that has nothing
    ///   of a database but the name.
    static func isOne(_ file: LogFileBlocks, path: String) throws -> Bool {
        if file.format == .sqlite {
            guard file.isRegularFile else {
                throw CommandFailure(
                    .dataAtFault,
                    "\(file.name) carries an SQLite database, which must be a file: name that file instead")
            }
            return true
        }
        guard !isNamedLikeOne(path) else {
            throw CommandFailure(
                .dataAtFault,
                "\(path) is named like a database but is not an SQLite database: rename it if it holds JSON lines")
        }
        return false
    }

    init(path: String) throws {
        name = path
        reader = try EventLogReader(path: path)
    }

    func forEachEvent(
        withStamps: Bool, fault: (InputFault) -> Void, _ body: (BorrowedEvent) throws -> Bool
    ) throws {
        try reader.forEach(withStamps: withStamps, body)
    }

    func nextContainer() throws -> InputEntry<RecordedContainer>? {
        try nextRow().map { row in
            do {
                return .event(try RecordedContainer(line: row.line))
            } catch {
                return .fault(InputFault(error, input: name, line: row.seq))
            }
        }
    }

    func ledger() throws -> [LedgerEntry] { try reader.ledger() }

    private func nextRow() throws -> EventRecord? {
        if batch.isEmpty { batch = try reader.read(after: lastSeq)[...] }
        guard let row = batch.popFirst() else { return nil }
        lastSeq = row.seq
        return row
    }
}
