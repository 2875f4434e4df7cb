internal import CommandSupport
internal import EventLog
internal import JSONLines
internal import LogFiles
internal import Tracking

/// A log to read: a database, also one that is being written, or JSON lines. What it is follows from its content.
enum LogInput {
    case database(EventLogReader)
    case lines(LogFileReader)

    private static let batchSize = 1000

    /// Opens an input.
    ///
    /// - Parameter path: A file, or `-` for standard input.
    /// - Throws: ``EventLogError``, ``LogFileError``, ``CommandFailure``.
    init(_ path: String) throws {
        guard path != "-" else {
            self = .lines(try LogFileReader(path: path))
            return
        }
        if try LogFileReader.format(of: path) == .sqlite {
            self = .database(try EventLogReader(path: path))
        } else if Self.isDatabaseName(path) {
            throw CommandFailure(
                .data, "\(path) is not an SQLite database: name another file, or one of JSON lines without that ending")
        } else {
            self = .lines(try LogFileReader(path: path))
        }
    }

    /// Whether a path that need not exist names a database.
    static func isDatabaseName(_ path: String) -> Bool {
        [".sqlite", ".sqlite3", ".db"].contains { path.lowercased().hasSuffix($0) }
    }

    /// The recorded drops; empty for files.
    func ledger() throws -> [LedgerEntry] {
        if case .database(let reader) = self { try reader.ledger() } else { [] }
    }

    /// Passes on every event, in order, holding one batch or one line in memory at a time.
    ///
    /// - Parameters:
    ///   - faulty: Told of lines at fault, which are skipped.
    ///   - body: Gives false to stop.
    func forEach(reporting faulty: inout FaultyLines, _ body: (RecordedContainer) async throws -> Bool) async throws {
        switch self {
        case .database(let reader):
            var seq: Int64 = 0
            while true {
                let records = try reader.read(after: seq, maximumCount: Self.batchSize)
                guard let last = records.last else { return }
                seq = last.seq
                for record in records {
                    guard
                        let container = Self.read(
                            { record.line }, file: "seq", line: Int(record.seq), reporting: &faulty)
                    else { continue }
                    guard try await body(container) else { return }
                }
            }
        case .lines(let reader):
            while let line = try reader.next() {
                guard
                    let container = Self.read(
                        { try line.line.bytes() }, file: reader.name, line: line.number, reporting: &faulty)
                else { continue }
                guard try await body(container) else { return }
            }
        }
    }

    private static func read(
        _ bytes: () throws -> [UInt8], file: String, line: Int, reporting faulty: inout FaultyLines
    ) -> RecordedContainer? {
        do {
            return try RecordedContainer(line: bytes())
        } catch {
            faulty.report(error, file: file, line: line)
            return nil
        }
    }
}
