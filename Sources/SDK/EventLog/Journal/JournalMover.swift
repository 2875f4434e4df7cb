import GRDB

/// Moves events from the journals into the database: in the order of their numbers, without gaps, each number once.
///
/// The database's `last_seq` is the position. It changes in the transaction that stores the events, so a mover that
/// ends at any point leaves a consistent state, and the next mover continues there. Afterwards the mover stores in each
/// ring how far it was read. If it ends before that, the next mover skips the remaining records by their number.
struct JournalMover {
    let folder: JournalFolder
    /// The number of drops of each ring that are in the ledger.
    private var countedDrops: [String: UInt64] = [:]
    /// The numbers that senders are drawing, by ring, with the time when the mover first saw them.
    private var held: [String: (drawing: UInt64, since: ContinuousClock.Instant)] = [:]
    /// After this time the mover reclaims a number, because its sender was stopped. Drawing takes a few hundred
    /// nanoseconds. A sender that was only waiting for a processor draws another number.
    private static let patience = Duration.milliseconds(100)

    /// Whether the rings' tails cannot be trusted in the next round.
    private var scansRings: Bool

    init(folder: JournalFolder, scansRings: Bool = false) {
        self.folder = folder
        self.scansRings = scansRings
    }

    struct Round {
        var eventCount = 0
        var lastSeq: Int64 = 0
        /// Whether a living sender is still drawing a number, so that later events have to wait.
        var isHeldUp = false
        /// Whether the state changed during the round, so that it must be repeated.
        var isStale = false
        /// Whether a user's events were discarded, so that their bytes may be in files of the log.
        var hasDiscards = false
        /// Rings that contain bytes other than records.
        var damaged: [JournalRing] = []
    }

    /// Whether there are events to move.
    func hasWork(after lastSeq: Int64) -> Bool {
        scansRings || folder.control.drawn > lastSeq
            || folder.rings.values.contains { ring in
                ring.head.load() != ring.tail.load() || hasUncountedDrops(ring)
            }
    }

    /// Moves up to `limit` events in one transaction, and stops when their lines reach `bytes`. Call with the control
    /// file's lock held.
    ///
    /// - Parameters:
    ///   - rules: As in ``Discards``.
    ///   - awaitAppend: Returns when this writer's current append has finished.
    mutating func move(
        limit: Int, bytes: Int, _ rules: ConsentRules, _ db: Database, awaitAppend: () -> Void,
        enforcing enforce: (Database) throws -> Void
    ) throws -> Round {
        var round = Round()
        var readers: [JournalRingReader] = []
        var drops: [String: UInt64] = [:]
        try db.inTransaction(.immediate) {
            round.lastSeq = try EventRow.lastSeq(db)
            // Read the counter before making the readers: a sender that drew a number up to this one has its number in
            // its ring by now. The readers cannot account for higher numbers, which may be drawn in a ring that was
            // read already.
            let drawn = folder.drawn(after: round.lastSeq)
            // Wait until this instance has published the record of every number drawn so far. Other writers' rings are
            // also read past their heads: after a writer withdraws its announcement and before it publishes the head,
            // only the record contains the number.
            awaitAppend()
            guard folder.isCurrent else {
                // A ring was added that this mover does not know yet, and that may have one of these numbers.
                round.isStale = true
                return .rollback
            }
            let own = folder.ownRings
            readers = folder.rings.values.map {
                JournalRingReader(
                    $0, after: round.lastSeq, readsPastHead: !own.contains(ObjectIdentifier($0)), scans: scansRings)
            }
            var insertion = try EventInsertion(db, after: round.lastSeq)
            let discards = try Discards(db, rules)
            round.hasDiscards = discards.hasMarks
            var size = 0
            while round.eventCount < max(limit, 1), size < bytes {
                var lowest: (index: Int, seq: Int64)?
                // Up to this number the current reader's numbers are the lowest. This avoids comparing all readers for
                // each event: a burst leaves dozens of rings.
                var turn = drawn
                for index in readers.indices {
                    guard let seq = readers[index].nextSeq, seq <= drawn else { continue }
                    if let former = lowest {
                        turn = min(turn, max(seq, former.seq) - 1)
                        guard seq < former.seq else { continue }
                    }
                    lowest = (index, seq)
                }
                let end = lowest.map { $0.seq - 1 } ?? drawn
                if end > insertion.lastSeq {
                    let missing = insertion.lastSeq + 1...end
                    let known: ClosedRange<Int64>?
                    switch lost(missing, readers) {
                    case .all: known = missing
                    case .upTo(let end): known = end < missing.lowerBound ? nil : missing.lowerBound...end
                    case .unsure:
                        // The sender finished while the number was being reclaimed, so the record is there now.
                        known = nil
                        round.isStale = true
                    }
                    if let known {
                        let isDamaged = known.lowerBound <= folder.damagedUpTo || readers.contains { $0.isDamaged }
                        try insertion.skip(known, because: isDamaged ? .damaged : .interrupted)
                    }
                    guard known == missing else {
                        round.isHeldUp = true
                        break
                    }
                }
                guard let lowest else { break }
                while let record = readers[lowest.index].next {
                    try insertion.insert(record, unless: discards)
                    round.eventCount += 1
                    size += record.line.count
                    readers[lowest.index].advance(after: record.seq)
                    guard round.eventCount < max(limit, 1), size < bytes, let next = readers[lowest.index].nextSeq,
                        next <= turn, next == record.seq + 1
                    else { break }
                }
            }
            try insertion.finish()
            round.lastSeq = insertion.lastSeq
            for ring in folder.rings.values {
                let count = dropCount(ring)
                guard hasUncountedDrops(ring) else { continue }
                try Ledger.count(ring.drops, of: ring.name, db)
                drops[ring.name] = count
            }
            try enforce(db)
            return .commit
        }
        // A record's number was drawn before the record was published, so a lower counter is damaged.
        let published = readers.compactMap { $0.next?.seq }.max() ?? 0
        if folder.control.counter.load() < UInt64(published) { folder.control.counter.raise(to: UInt64(published)) }
        countedDrops.merge(drops) { _, new in new }
        // Keep scanning as long as records are found past the rings' tails.
        if scansRings, !round.isStale { scansRings = readers.contains { $0.next != nil } }
        for reader in readers {
            reader.ring.tail.publish(reader.position)
            // A file that was damaged when it was opened is already in quarantine.
            if reader.isDamaged && !reader.ring.isDamaged { round.damaged.append(reader.ring) }
        }
        return round
    }

    /// How many of the missing numbers, from the first, have no sender.
    private enum Lost {
        case all
        case upTo(Int64)
        case unsure
    }

    /// Reclaims numbers from stopped senders, and returns which numbers are lost.
    private mutating func lost(_ missing: ClosedRange<Int64>, _ readers: [JournalRingReader]) -> Lost {
        var end = missing.upperBound
        // A sender draws one number at a time. A sender that announces an unknown number may draw any of them.
        for reader in readers where reader.drawing > 0 && !JournalRing.isReclaimed(reader.drawing) {
            var seq = missing.lowerBound
            if reader.drawing != JournalRing.unknownNumber {
                guard let drawn = Int64(exactly: reader.drawing), missing.contains(drawn) else { continue }
                seq = drawn
            }
            if mayReclaim(reader) {
                guard reader.ring.reclaim(reader.drawing) else { return .unsure }
            } else {
                end = min(end, seq - 1)
            }
        }
        return end == missing.upperBound ? .all : .upTo(end)
    }

    /// Whether the sender of a number was stopped or has ended. Otherwise it will complete its record.
    private mutating func mayReclaim(_ reader: JournalRingReader) -> Bool {
        // A thread of this instance is drawing the number, and will finish soon.
        if folder.isOwn(reader.ring) { return false }
        if !reader.ring.isWriterAlive { return true }
        let now = ContinuousClock.now
        if let known = held[reader.ring.name], known.drawing == reader.drawing {
            return known.since.duration(to: now) >= Self.patience
        }
        held[reader.ring.name] = (reader.drawing, now)
        return false
    }

    /// Whether a ring has drops that are not in the ledger. Another process has counted those of a ring that it has sealed
    /// and removed.
    func hasUncountedDrops(_ ring: JournalRing) -> Bool {
        dropCount(ring) != countedDrops[ring.name, default: 0] && !(ring.isSealed && !ring.file.isNamed)
    }

    private func dropCount(_ ring: JournalRing) -> UInt64 { ring.drops.reduce(0) { $0 &+ $1.count } }

    /// Stores all records of seized rings, whatever the headers contain, while no other ring has a writer. Call with
    /// the control file's lock held.
    ///
    /// - Parameter drawn: The counter, read after the rings were sealed.
    static func recover(
        _ rings: [JournalRing], drawn: Int64, consents: ConsentTable = ConsentTable(), _ db: Database
    ) throws {
        try db.inTransaction(.immediate) {
            let last = try EventRow.lastSeq(db)
            var locations: [JournalScan.Location] = []
            var interrupted: Set<UInt64> = []
            // Numbers that were drawn but not announced when their process ended.
            var unknown = 0
            for ring in rings {
                let (found, drawing) = settled(ring, after: last)
                locations += found
                if drawing == JournalRing.unknownNumber { unknown += 1 } else { interrupted.insert(drawing) }
            }
            locations.sort { $0.seq < $1.seq }
            var insertion = try EventInsertion(db, after: last)
            let discards = try Discards(db, ConsentRules(consents))
            func skip(to end: Int64) throws {
                while insertion.lastSeq < end {
                    let seq = insertion.lastSeq + 1
                    if interrupted.contains(UInt64(seq)) {
                        try insertion.skip(seq...seq, because: .interrupted)
                    } else if end - seq < Int64(unknown) {
                        unknown -= Int(end - seq + 1)
                        try insertion.skip(seq...end, because: .interrupted)
                    } else {
                        let next = interrupted.compactMap { Int64(exactly: $0) }.filter { $0 > seq && $0 <= end }.min()
                        try insertion.skip(seq...(next.map { $0 - 1 } ?? end), because: .damaged)
                    }
                }
            }
            for location in locations where location.seq > insertion.lastSeq {
                try skip(to: location.seq - 1)
                try insertion.insert(location.record, unless: discards)
            }
            // Neither the counter nor a cursor has a checksum: a number beyond the capacity of the rings is damage, not
            // lost events.
            let room = JournalFolder.leap(rings)
            func plausible(_ number: Int64) -> Int64 { number - insertion.lastSeq <= room ? number : 0 }
            if drawn > 0 { try skip(to: plausible(drawn)) }
            // After a power failure, a consumer may have seen more events than the database has.
            let seen = try Int64.fetchOne(db, sql: "SELECT max(acknowledged) FROM consumers") ?? 0
            if seen > 0 { try skip(to: plausible(seen)) }
            try insertion.finish()
            try db.execute(
                sql: "UPDATE consumers SET acknowledged = ?1 WHERE acknowledged > ?1", arguments: [insertion.lastSeq])
            for ring in rings { try Ledger.count(ring.drops, of: ring.name, db) }
            return .commit
        }
    }

    /// All records of a ring, and the number that its sender was drawing. A number without a record is reclaimed, so
    /// that its sender, if it is alive after all, does not complete a record for that number.
    private static func settled(_ ring: JournalRing, after seq: Int64) -> ([JournalScan.Location], UInt64) {
        while true {
            let drawing = ring.drawing.load()
            var locations = JournalScan.records(in: ring, after: seq)
            if JournalRing.isReclaimed(drawing) {
                // The last record may be one that its sender completed before the sender noticed the reclaim, and has
                // not erased yet.
                let head = ring.head.load()
                locations.removeAll { $0.record.position >= head && !ring.isDamaged }
                return (locations, JournalRing.number(drawing))
            }
            guard drawing > 0, !locations.contains(where: { UInt64($0.seq) == drawing }) else { return (locations, 0) }
            if ring.reclaim(drawing) { return (locations, drawing) }
        }
    }
}
