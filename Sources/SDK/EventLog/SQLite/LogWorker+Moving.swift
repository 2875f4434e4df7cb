internal import EventModel
internal import Foundation
import GRDB
internal import Primitives

// Moving events from the journals into the database, and pruning.
extension LogWorker {
    /// Moves events from the journals.
    ///
    /// - Parameters:
    ///   - end: The last number to move; nil to include events that are sent meanwhile. Drops are counted in any case.
    ///   - deadline: When to stop, after the current transaction.
    /// - Returns: Whether everything was moved; false if a sender is still drawing a number, or the deadline has
    ///   passed.
    /// - Throws: ``EventLogError``. No event is lost.
    @discardableResult
    func move(upTo end: Int64? = nil, deadline: ContinuousClock.Instant? = nil) throws -> Bool {
        var isFirst = true
        while isFirst || end.map({ lastSeq < $0 }) ?? true {
            if folder.isCurrent, !mover.hasWork(after: lastSeq) { return true }
            if !isFirst, let deadline, ContinuousClock.now >= deadline { return false }
            let round = try moveOnce()
            if round.isStale { continue }
            isFirst = false
            lastSeq = round.lastSeq
            // Another process may have ended before it removed the bytes of discarded events.
            if round.hasDiscards, !hasTraces {
                hasTraces = true
                hasUnfinishedDiscards = true
            }
            for ring in round.damaged {
                // If the copy fails, there is no quarantined copy for diagnosis, but all readable records are stored.
                _ = try? Quarantine.put(
                    [ring.file.path], by: .copy, reason: "\(ring.name): contains bytes that are not records",
                    database: path)
            }
            if round.isHeldUp { return false }
        }
        return true
    }

    /// The number of waiting events that counts as a burst.
    private static let burst: Int64 = 5000

    /// Whether events were sent that are not moved yet.
    var hasBacklog: Bool { lastSeq < control.drawn }

    /// Moves as much as fits into one transaction; less on a nearly full disk.
    private func moveOnce() throws -> JournalMover.Round {
        func move(_ db: Database, limit: Int, bytes: Int) throws -> JournalMover.Round {
            // A process may have ended before it switched senders to the log's new install.
            defer { try? follow(db) }  // Retried with the next move.
            return try mover.move(
                limit: limit, bytes: bytes, ConsentRules(consents), db, awaitAppend: writer.awaitAppend
            ) { db in
                try Pruning.enforceHardCap(options.retention, db)
            }
        }
        return try exclusively { db in
            let room = DiskReserve.freeBytes(at: path)
            let isTight = room < DiskReserve.tightness
            // The write-ahead log may grow by that much.
            watch.isBurst = room > 4 * DiskReserve.tightness && control.drawn - lastSeq > Self.burst
            if !isTight {
                do {
                    return try move(db, limit: options.eventsPerTransaction, bytes: .max)
                } catch  where DiskReserve.isFull(error) {}
            }
            func moveLittle() throws -> JournalMover.Round {
                defer { checkpoint(db) }
                return try move(db, limit: min(options.eventsPerTransaction, 32), bytes: 64 << 10)
            }
            // The committed events must also fit into the database. If a checkpoint has no room, the write-ahead log
            // cannot restart, and then no further commit is possible.
            let hasRoom = DiskReserve.freeBytes(at: path) >= 3 * Self.littleBytes
            let hasPages = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0 >= Self.littleBytes / 4096
            guard hasRoom || hasPages else { throw SystemError("write", code: ENOSPC, path: path) }
            do { return try moveLittle() } catch  where DiskReserve.isFull(error) && hasPages {
                // If the database has free pages, the events need space only in the write-ahead log, and only for a
                // short time.
                reserve.giveUp()
                defer { reserve.keepRest() }
                checkpoint(db)
                return try moveLittle()
            }
        }
    }

    /// The maximum bytes of pages that a transaction of 32 events (64 KiB in total) changes.
    private static let littleBytes = 384 << 10

    /// Moves the events sent before the call, for a limited time.
    ///
    /// - Parameter end: The highest number drawn before the call.
    /// - Returns: Whether all of them were moved.
    /// - Throws: ``EventLogError``. No event is lost.
    @discardableResult
    func moveAll(upTo end: Int64, within time: Duration) throws -> Bool {
        let deadline = ContinuousClock.now.advanced(by: time)
        // Moving repairs a damaged counter.
        while try !move(upTo: min(end, control.drawn), deadline: deadline), lastSeq < min(end, control.drawn) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(500)
        }
        return true
    }

    /// Moves all events up to a number, by default those sent before the call. Does not wait for later events.
    ///
    /// - Throws: ``EventLogError``: `inUse` if no progress is made within the busy timeout.
    func moveAll(upTo end: Int64? = nil) throws {
        let end = end ?? control.drawn
        // Moves a backlog of any length, as long as there is progress.
        var last: Int64?
        while try !moveAll(upTo: end, within: options.busyTimeout) {
            if let last, lastSeq <= last {
                throw EventLogError(
                    .inUse, "cannot store event \(lastSeq + 1) of \(path): blocked by another process; try again")
            }
            last = lastSeq
        }
    }

    /// Applies the log's retention, in one step, or in small steps on a full disk.
    func prune(now: EventTime) throws {
        var limit: Int64?
        var hasMore = true
        while hasMore {
            do {
                hasMore = try freeing { db, isFull in
                    if isFull, limit == nil { limit = Pruning.smallStep }
                    return try Pruning.apply(options.retention, now: now, limit: limit, db)
                }
            } catch let error as EventLogError where error.code == .diskFull {
                guard let last = limit, last > 1 else { throw error }
                limit = last / 4 + 1
            }
        }
    }

    /// Stores replayed events. Draws all their numbers in one step, before the commit.
    ///
    /// If the process ends between drawing and commit, the next mover records the unused numbers in the ledger. If the
    /// commit fails, the numbers are returned, so that a second attempt keeps the events' bytes.
    func replay(_ events: [RecordedEvent]) throws -> ReplayResult {
        while true {
            let result: ReplayResult? = try exclusively { db in
                let former = writer.log
                var drawn: (from: UInt64, to: UInt64)?
                var result: ReplayResult?
                var isStored = false
                defer {
                    if !isStored {
                        writer.log = former
                        // Returns the numbers, which were not used: the lock excludes movers, and the exchange fails if
                        // a later number was drawn.
                        if let drawn { _ = control.counter.exchange(drawn.to, for: drawn.from) }
                    }
                }
                var newest: EventRecord?
                try db.inTransaction(.immediate) {
                    let before = try EventRow.lastSeq(db)
                    let stored = try Replay.store(events, db)
                    let log = try Generations.newest(db)
                    let after = try EventRow.lastSeq(db)
                    // A counter that is behind the database is damaged.
                    if before > 0 { control.counter.raise(to: UInt64(before)) }
                    // If this fails, another writer has sent an event with a number that the replay used.
                    guard control.counter.exchange(UInt64(before), for: UInt64(after)) else { return .rollback }
                    drawn = (UInt64(before), UInt64(after))
                    writer.log = log
                    newest = try EventRow.fetch(db, clauses: "ORDER BY seq DESC LIMIT 1", arguments: []).first
                    result = stored
                    return .commit
                }
                isStored = result != nil
                if isStored, let newest {
                    lastSeq = newest.seq
                    writer.wasReplayed(newest)
                    if writer.log != former { control.setInstall(writer.log) }
                }
                return result
            }
            if let result { return result }
            try moveAll()
        }
    }
}
