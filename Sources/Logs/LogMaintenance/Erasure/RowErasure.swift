internal import EventLog
internal import EventModel
internal import Foundation
internal import GRDB

/// Erases single events from all tables, and records them in the ledger.
struct RowErasure {
    struct Step {
        /// The last number read; nil at the end.
        var last: Int64?
        var events: Int64 = 0
        var bytes: Int64 = 0
    }

    /// A range of erased numbers. All other numbers in the range were in the ledger already.
    private struct Run {
        var seqs: ClosedRange<Int64>
        var count: Int64
    }

    /// The numbers covered by one transaction.
    private static let span: Int64 = 20_000

    private let isErased: (BorrowedEvent) -> Bool
    /// The numbers that the ledger accounts for. Read once: later changes affect only numbers that were passed.
    private var account: AccountedNumbers?

    init(where isErased: @escaping (BorrowedEvent) -> Bool) { self.isErased = isErased }

    /// Erases among the next rows after a number, inside a transaction.
    mutating func step(_ db: Database, after seq: Int64) throws -> Step {
        try db.execute(sql: "PRAGMA secure_delete = ON")
        var step = Step()
        var erased: [Int64] = []
        var runs: [Run] = []
        var isInRun = false
        step.last = try EventRow.visit(
            db, after: seq, span: Self.span, filter: EventRowFilter(), withStamps: false
        ) { event in
            guard isErased(event) else {
                isInRun = false
                return true
            }
            erased.append(event.seq)
            step.bytes += Int64(event.line.count)
            if isInRun, let run = runs.last, try accounts(after: run.seqs.upperBound, before: event.seq, db) {
                runs[runs.count - 1] = Run(seqs: run.seqs.lowerBound...event.seq, count: run.count + 1)
            } else {
                runs.append(Run(seqs: event.seq...event.seq, count: 1))
            }
            isInRun = true
            return true
        }.last
        step.events = Int64(erased.count)
        guard !erased.isEmpty else { return step }
        let delete = try db.cachedStatement(sql: "DELETE FROM events WHERE seq = ?")
        for seq in erased { try delete.execute(arguments: [seq]) }
        for run in runs { try Ledger.addRange(.erased, count: run.count, seqs: run.seqs, db) }
        try db.execute(sql: EventRow.subtractFromTotals, arguments: [step.events, step.bytes])
        return step
    }

    /// Erases dead letters, and copies for one consumer. Their events have, or had, rows of their own.
    static func eraseApart(_ db: Database, where isErased: (BorrowedEvent) -> Bool) throws {
        try db.execute(sql: "PRAGMA secure_delete = ON")
        let isTheirs: (UnsafeRawBufferPointer, Purpose) -> Bool = { line, purpose in
            isErased(
                BorrowedEvent(
                    seq: 0, time: EventTime(microseconds: 0), name: UnsafeRawBufferPointer(start: nil, count: 0),
                    line: line, purpose: purpose))
        }
        try DeadLetters.remove(where: isTheirs, db)
        try Copies.remove(because: .erased, where: isTheirs, db)
    }

    /// Whether the ledger accounts for all numbers between two events. An unexplained loss must not be recorded as
    /// erased.
    private mutating func accounts(after first: Int64, before next: Int64, _ db: Database) throws -> Bool {
        guard next > first + 1 else { return true }
        let known = try account ?? AccountedNumbers(db)
        account = known
        return known.missing(of: first + 1...next - 1).isEmpty
    }
}

/// Open descriptors of a log's rings. After an opening of the log has moved the rings' events and deleted the files,
/// their bytes can still be overwritten.
package struct EndedJournals: ~Copyable {
    private let descriptors: [CInt]

    /// Opens the rings that are next to a database now.
    package init(of database: String) {
        let folder = JournalFolder.path(of: database)
        let names = (try? JournalFolder.ringNames(folder)) ?? []  // no journals
        descriptors = names.map { open("\(folder)/\($0)", O_WRONLY | O_CLOEXEC) }.filter { $0 >= 0 }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Overwrites the deleted rings with zeros.
    ///
    /// - Throws: ``/EventLog/EventLogError``, `io`.
    package borrowing func overwrite() throws {
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        for descriptor in descriptors {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { continue }
            var offset = 0
            while offset < Int(status.st_size) {
                let count = pwrite(descriptor, zeros, min(zeros.count, Int(status.st_size) - offset), off_t(offset))
                guard count > 0 || errno == EINTR else { throw Self.failure() }
                offset += max(count, 0)
            }
            guard fsync(descriptor) == 0 else { throw Self.failure() }
        }
    }

    private static func failure() -> EventLogError {
        EventLogError(.io, "cannot overwrite a journal: \(String(cString: strerror(errno)))")
    }
}
