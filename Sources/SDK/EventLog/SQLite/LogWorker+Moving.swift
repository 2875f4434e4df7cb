internal import EventModel
internal import Foundation
import GRDB

// From the journals into the database, and out of it.
extension LogWorker {
    /// Moves what the journals hold.
    ///
    /// - Parameters:
    ///   - end: The number up to which it goes on, beside the drops that are counted now; nil for whatever is sent.
    ///   - deadline: When it ends at the latest, after the transaction that it is in.
    /// - Returns: Whether everything was moved; false if a number is still in a sender's hands, or the time is up.
    /// - Throws: ``EventLogError``. Nothing is lost then.
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
            // Another process's, which may have ended before it had removed what is stored.
            if round.hasDiscards, !hasTraces { (hasTraces, hasUnfinishedDiscards) = (true, true) }
            for ring in round.damaged {
                _ = try? Quarantine.put(  // lost: the evidence; what could be read was stored
                    [ring.file.path], by: .copy, reason: "\(ring.name): it holds bytes that are no record",
                    database: path)
            }
            if round.isHeldUp { return false }
        }
        return true
    }

    /// More events than this that wait are a burst.
    private static let burst: Int64 = 5000

    /// Whether more was sent than has been moved.
    var hasBacklog: Bool { lastSeq < control.drawn }

    /// Moves as much as fits into one transaction; on a disk that is nearly full, little.
    private func moveOnce() throws -> JournalMover.Round {
        func move(_ db: Database, limit: Int, bytes: Int) throws -> JournalMover.Round {
            // A process that has ended before it could say that the log goes on as another install.
            defer { try? follow(db) }  // it is tried again with the next move
            return try mover.move(limit: limit, bytes: bytes, db, awaitAppend: writer.awaitAppend) { db in
                try Pruning.enforceHardCap(options.retention, db)
            }
        }
        return try exclusively { db in
            let room = DiskReserve.room(beside: path)
            let isTight = room < DiskReserve.tightness
            // The write-ahead log grows by as much as that is.
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
            // What is committed must also fit into the database: a write-ahead log that cannot be brought there can't be
            // written from its start again, and then nothing more can be committed at all.
            let hasRoom = DiskReserve.room(beside: path) >= 3 * Self.littleBytes
            let hasPages = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0 >= Self.littleBytes / 4096
            guard hasRoom || hasPages else { throw SystemError("write", code: ENOSPC, path: path) }
            do { return try moveLittle() } catch  where DiskReserve.isFull(error) && hasPages {
                // With free pages for them the events need room in the write-ahead log only, and give it back.
                reserve.giveUp()
                defer { reserve.keepRest() }
                checkpoint(db)
                return try moveLittle()
            }
        }
    }

    /// The most bytes of pages that 32 events of 64 KiB together change.
    private static let littleBytes = 384 << 10

    /// Moves what was sent before the call, as far as that can be done in some time.
    ///
    /// - Parameter end: The highest number that was drawn then.
    /// - Returns: Whether all of it was moved.
    /// - Throws: ``EventLogError``. Nothing is lost then.
    @discardableResult
    func moveAll(upTo end: Int64, within time: Duration) throws -> Bool {
        if !newUsers.isEmpty { try? storeNewUsers() }  // what is in the way is in the way of the move, too
        let deadline = ContinuousClock.now.advanced(by: time)
        // A counter that was damaged is set right on the way.
        while try !move(upTo: min(end, control.drawn), deadline: deadline), lastSeq < min(end, control.drawn) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(500)
        }
        return true
    }

    /// Moves everything up to a number, by default what was sent before the call; what comes after it is not waited for.
    ///
    /// - Throws: ``EventLogError``: `inUse` if that cannot be done in the busy timeout.
    func moveAll(upTo end: Int64? = nil) throws {
        let end = end ?? control.drawn
        // A backlog of any length is moved, as long as it gets on.
        var last: Int64?
        while try !moveAll(upTo: end, within: options.busyTimeout) {
            if let last, lastSeq <= last {
                throw EventLogError(
                    .inUse, "event \(lastSeq + 1) of \(path) cannot be stored: another process is in the way")
            }
            last = lastSeq
        }
    }

    /// Applies the log's retention: at once, or, on a full disk, in small steps.
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

    /// Stores replayed events under numbers that it draws all at once, before it commits.
    ///
    /// Should the process end between the drawing and the commit, the next mover finds numbers that nobody holds, and
    /// says so in the ledger. If the commit fails, the numbers are given back, so that a second attempt keeps the events'
    /// bytes.
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
                        // Nobody has seen these numbers: movers are kept out, and one drawn after them fails the exchange.
                        if let drawn { _ = control.counter.exchange(drawn.to, for: drawn.from) }
                    }
                }
                var newest: EventRecord?
                try db.inTransaction(.immediate) {
                    let before = try EventRow.lastSeq(db)
                    let stored = try Replay.store(events, db)
                    let (log, after) = (try Generations.newest(db), try EventRow.lastSeq(db))
                    // A counter that is behind the database is a damaged one.
                    if before > 0 { control.counter.raise(to: UInt64(before)) }
                    // Otherwise somebody has sent an event meanwhile, under a number that the replay gave out, too.
                    guard control.counter.exchange(UInt64(before), for: UInt64(after)) else { return .rollback }
                    drawn = (UInt64(before), UInt64(after))
                    writer.log = log
                    newest = try EventRow.fetch(db, "ORDER BY seq DESC LIMIT 1", []).first
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
