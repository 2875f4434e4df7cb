internal import CommandSupport
internal import EventLog
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
