import DeliveryProtocol
import EventModel
import Foundation
import GRDB
import Primitives
import StreamClient
import Warehouse

/// The loader of a partition: the `LineRegister` and the `InstallAccounts` of production code, with their tables in an SQLite
/// database in memory.
final class LoaderModel {
    /// How often it reads the stream. The default of `loader --block-age` is 5 seconds; longer blocks make the run faster.
    static let interval = 30 * Microseconds.second
    static let blockRows: Int64 = 50_000
    static let gapAge = Duration.seconds(600)
    static let gapAgeMicroseconds = 10 * Microseconds.minute

    /// What the register and the accounts say about a message.
    struct Result {
        var message: Message
        var verdicts: [LineRegister.Verdict]
        /// Of the last message of an install in a block, whose numbers are added together.
        var account: InstallAccounts.Account?
        var isLast = false
    }

    private let database: DatabaseQueue
    private(set) var block: Int64 = 0
    /// The sequence of the last loaded message, and the digest of all loaded messages.
    var through: Int64 = 0
    var digest: UInt64 = 0
    /// The last message, for the fault `cut-overlaps`.
    var lastMessage: Message?
    /// The processor time in production code, in nanoseconds.
    private(set) var time: Int64 = 0

    init() throws {
        database = try DatabaseQueue()
        try database.write { try PartitionTables.create(in: $0) }
    }

    /// Makes a block. Mirrors `PartitionState.add`.
    ///
    /// - Parameters:
    ///   - crashes: Whether the loader is killed after the stores have the block and before its own state is committed.
    ///     It then makes the block again.
    ///   - store: Writes the block.
    func add(
        _ messages: [Message], at now: Microseconds, crashes: Bool, _ fault: Fault?, forget: Bool,
        store: (_ block: Int64, [Result]) throws -> Void
    ) throws {
        let gapAge = fault == .earlyRequest ? .zero : Self.gapAge
        for isCrash in crashes ? [true, false] : [false] {
            var stopwatch = Self.processorTime()
            try database.inTransaction { db in
                let register = try LineRegister(db)
                var results: [Result] = []
                results.reserveCapacity(messages.count)
                for message in messages {
                    let install = try register.install(
                        message.batch.install.id, secretHash: message.batch.secret.hash)
                    if forget { try db.execute(sql: "DELETE FROM runs WHERE install = ?", arguments: [install]) }
                    var verdicts: [LineRegister.Verdict] = []
                    if !message.lines.isEmpty {
                        verdicts = try register.add(
                            Self.numbers(message), Self.hashes(message), of: install,
                            day: now / Microseconds.day,
                            fork: String(message.batch.id, radix: 16))
                    }
                    results.append(Result(message: message, verdicts: verdicts))
                }
                let accounts = InstallAccounts(db)
                var added = try accounts.add(messages.map { Self.message($0, fault) }, at: now)
                var found: Set<String> = []
                for index in results.indices.reversed() {
                    let installID = results[index].message.batch.install.id
                    results[index].isLast = found.insert(installID).inserted
                    if results[index].isLast { results[index].account = added.removeValue(forKey: installID) }
                }
                try accounts.settle(Set(messages.map(\.batch.install.id)), at: now, gapAge: gapAge)
                time += Self.processorTime() - stopwatch
                try store(block + 1, results)
                stopwatch = Self.processorTime()
                return isCrash ? .rollback : .commit
            }
            time += Self.processorTime() - stopwatch
        }
        block += 1
    }

    /// Makes verdicts about gaps that have become old, and returns all new verdicts. Mirrors
    /// `PartitionLoader.publishVerdicts`.
    func verdicts(at now: Microseconds, hasGaps: Bool, _ fault: Fault?) throws -> [InstallVerdict] {
        let stopwatch = Self.processorTime()
        defer { time += Self.processorTime() - stopwatch }
        return try database.write { db in
            let accounts = InstallAccounts(db)
            if hasGaps, fault != .missedRequest { try accounts.settleOldGaps(at: now, gapAge: Self.gapAge) }
            var found: [InstallVerdict] = []
            while true {
                let verdicts = try accounts.unpublishedVerdicts()
                guard !verdicts.isEmpty else { return found }
                try accounts.published(verdicts)
                found += verdicts.map(\.verdict)
            }
        }
    }

    /// The number of registered lines and forks, and the size of the database in bytes.
    func totals() throws -> (lines: Int64, forks: Int64, bytes: Int64) {
        try database.read { db in
            (
                try Int64.fetchOne(db, sql: "SELECT coalesce(sum(last - first + 1), 0) FROM runs") ?? 0,
                try Int64.fetchOne(db, sql: "SELECT count(*) FROM forks") ?? 0,
                try Int64.fetchOne(
                    db, sql: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()") ?? 0
            )
        }
    }

    /// The processor time of this thread, in nanoseconds.
    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func numbers(_ message: Message) -> Ranges {
        message.lines.count == 1 ? [message.lines[0].seqs] : NumberRanges.union(message.lines.map(\.seqs))
    }

    private static func hashes(_ message: Message) -> [UInt64] {
        var hashes: [UInt64] = []
        hashes.reserveCapacity(Int(message.lines.reduce(0) { $0 + $1.seqs.length }))
        for piece in message.lines {
            let branch = message.batch.install.branches[Int(piece.branch)]
            for seq in piece.seqs { hashes.append(branch.hash(of: seq)) }
        }
        return hashes
    }

    private static func message(_ message: Message, _ fault: Fault?) -> StreamMessage {
        StreamMessage(
            receipt: ReceiptName(collector: "c", number: 1), batchID: nil, installID: message.batch.install.id,
            secretHash: message.batch.secret.hash, seqs: message.batch.seqs,
            receivedAt: EventTime(microseconds: message.receivedAt),
            sentAt: EventTime(microseconds: message.sentAt),
            absent: fault == .forgottenReason ? [] : message.absent, numbers: numbers(message))
    }
}
