import GRDB

/// Moves what lies in the journals into the database: by number, without gaps, each number once.
///
/// The database's `last_seq` is the position: it changes in the transaction that stores the events, so a mover that
/// dies at any point leaves nothing half done, and the next one starts where it stands. Rings are told afterwards
/// how far they were read; a mover that dies before that leaves records that the next one passes by their number.
struct JournalMover {
    let folder: JournalFolder
    /// Drops that were in the ledger when a ring was looked at last, by ring.
    private var countedDrops: [String: UInt64] = [:]
    /// Numbers in senders' hands, by ring, and since when.
    private var held: [String: (drawing: UInt64, since: ContinuousClock.Instant)] = [:]
    /// A sender that holds a number for longer was stopped: the number is taken back. It is some hundred nanoseconds'
    /// work; one that is only kept waiting for a processor loses the number, and draws another.
    private static let patience = Duration.milliseconds(100)

    /// Whether the rings' own word of what was moved from them is not to be believed, for the next round.
    private var scansRings: Bool

    init(folder: JournalFolder, scansRings: Bool = false) {
        self.folder = folder
        self.scansRings = scansRings
    }

    /// What became of a round.
    struct Round {
        var eventCount = 0
        var lastSeq: Int64 = 0
        /// Whether a number is still in the hands of a live sender, so that what follows it has to wait.
        var isHeldUp = false
        /// Whether something has changed on the way, so that the round must be made again.
        var isStale = false
        /// Whether a user's events are to be removed, so that their bytes may be in files of the log.
        var hasDiscards = false
        /// Rings in which something else than records was found.
        var damaged: [JournalRing] = []
    }

    /// Whether there is anything to move.
    func hasWork(after lastSeq: Int64) -> Bool {
        scansRings || folder.control.drawn > lastSeq
            || folder.rings.values.contains { ring in
                ring.head.load() != ring.tail.load() || hasUncountedDrops(ring)
            }
    }

    /// Moves up to `limit` events in one transaction, and no more when their lines have come to so many bytes. Under the
    /// control file's lock.
    ///
    /// - Parameter awaitAppend: Returns when the append that this writer itself may be in is over.
    mutating func move(
        limit: Int, bytes: Int, _ db: Database, awaitAppend: () -> Void, enforcing enforce: (Database) throws -> Void
    ) throws -> Round {
        var round = Round()
        var readers: [JournalRingReader] = []
        var drops: [String: UInt64] = [:]
        try db.inTransaction(.immediate) {
            round.lastSeq = try EventRow.lastSeq(db)
            // Before the readers are made: a sender that drew a number up to this one has written it to its ring by now.
            // About a higher one they say nothing: while one is read, a number may be drawn in another that was read
            // before.
            let drawn = folder.drawn(after: round.lastSeq)
            // A record of ours whose number was drawn before is published then. Others' are looked at behind their heads,
            // too: between the withdrawal of the announcement and the publishing only the record itself shows the number.
            awaitAppend()
            guard folder.isCurrent else {
                // A ring was made before a number in it was drawn: with that number, it is not known here yet.
                round.isStale = true
                return .rollback
            }
            let own = folder.ownRings
            readers = folder.rings.values.map {
                JournalRingReader(
                    $0, after: round.lastSeq, looksBehindHead: !own.contains(ObjectIdentifier($0)), scans: scansRings)
            }
            var insertion = try EventInsertion(db, after: round.lastSeq)
            let discards = try Discards(db)
            round.hasDiscards = discards.hasMarks
            var size = 0
            while round.eventCount < max(limit, 1), size < bytes {
                var lowest: (index: Int, seq: Int64)?
                // Up to here that reader's numbers are the lowest, however many readers there are: a burst leaves dozens of rings.
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
                        // The sender has gone on while the number was being taken back: the record is there now.
                        (known, round.isStale) = (nil, true)
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
                guard count != countedDrops[ring.name, default: 0] else { continue }
                try Ledger.count(ring.drops, of: ring.name, db)
                drops[ring.name] = count
            }
            try enforce(db)
            return .commit
        }
        // A record's number was drawn before the record was published: a lower counter is a damaged one.
        let published = readers.compactMap { $0.next?.seq }.max() ?? 0
        if folder.control.counter.load() < UInt64(published) { folder.control.counter.raise(to: UInt64(published)) }
        countedDrops.merge(drops) { _, new in new }
        // As long as records are found behind the rings' tails.
        if scansRings, !round.isStale { scansRings = readers.contains { $0.next != nil } }
        for reader in readers {
            reader.ring.tail.publish(reader.position)
            // A file that was found damaged when it was opened is put aside already.
            if reader.isDamaged && !reader.ring.isDamaged { round.damaged.append(reader.ring) }
        }
        return round
    }

    /// How many of some missing numbers, from the first on, no sender holds.
    private enum Lost {
        case all
        case upTo(Int64)
        case unsure
    }

    /// Takes numbers back from senders that were stopped, and tells which are lost.
    private mutating func lost(_ missing: ClosedRange<Int64>, _ readers: [JournalRingReader]) -> Lost {
        var end = missing.upperBound
        // A sender holds one number at a time; one that says "unknown" may hold any.
        for reader in readers where reader.drawing > 0 && !JournalRing.isTakenBack(reader.drawing) {
            var seq = missing.lowerBound
            if reader.drawing != JournalRing.unknownNumber {
                guard let drawn = Int64(exactly: reader.drawing), missing.contains(drawn) else { continue }
                seq = drawn
            }
            if mayTakeBack(reader) {
                guard reader.ring.takeBack(reader.drawing) else { return .unsure }
            } else {
                end = min(end, seq - 1)
            }
        }
        return end == missing.upperBound ? .all : .upTo(end)
    }

    /// Whether a sender that holds a number was stopped, or has ended. If not, it still completes its record.
    private mutating func mayTakeBack(_ reader: JournalRingReader) -> Bool {
        // A thread of ours is at work, and soon done.
        if folder.isOwn(reader.ring) { return false }
        if !reader.ring.isWriterAlive { return true }
        let now = ContinuousClock.now
        if let known = held[reader.ring.name], known.drawing == reader.drawing {
            return known.since.duration(to: now) >= Self.patience
        }
        held[reader.ring.name] = (reader.drawing, now)
        return false
    }

    /// Whether the ledger does not have all of a ring's drops.
    func hasUncountedDrops(_ ring: JournalRing) -> Bool { dropCount(ring) != countedDrops[ring.name, default: 0] }

    private func dropCount(_ ring: JournalRing) -> UInt64 { ring.drops.reduce(0) { $0 &+ $1.count } }

    /// Stores everything that rings hold which were seized, whatever their headers say, while nobody writes to any other.
    /// Under the control file's lock.
    ///
    /// - Parameter drawn: The counter, read after the rings were sealed.
    static func recover(_ rings: [JournalRing], drawn: Int64, _ db: Database) throws {
        try db.inTransaction(.immediate) {
            let last = try EventRow.lastSeq(db)
            var locations: [JournalScan.Location] = []
            var interrupted: Set<UInt64> = []
            // Ended between drawing a number and saying which.
            var unknown = 0
            for ring in rings {
                let (found, drawing) = settled(ring, after: last)
                locations += found
                if drawing == JournalRing.unknownNumber { unknown += 1 } else { interrupted.insert(drawing) }
            }
            locations.sort { $0.seq < $1.seq }
            var insertion = try EventInsertion(db, after: last)
            let discards = try Discards(db)
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
            // Neither the counter nor a cursor has a checksum: a leap beyond what rings can hold is a fault, not lost
            // events.
            let room = JournalFolder.leap(rings)
            func plausible(_ number: Int64) -> Int64 { number - insertion.lastSeq <= room ? number : 0 }
            if drawn > 0 { try skip(to: plausible(drawn)) }
            // A consumer may have seen more than a database that a power failure has set back.
            let seen = try Int64.fetchOne(db, sql: "SELECT max(acknowledged) FROM consumers") ?? 0
            if seen > 0 { try skip(to: plausible(seen)) }
            try insertion.finish()
            try db.execute(
                sql: "UPDATE consumers SET acknowledged = ?1 WHERE acknowledged > ?1", arguments: [insertion.lastSeq])
            for ring in rings { try Ledger.count(ring.drops, of: ring.name, db) }
            return .commit
        }
    }

    /// All records of a ring, and the number that was in its sender's hands: without a record, it is taken back, so that
    /// a sender that lives, whatever was thought of it, completes none for it.
    private static func settled(_ ring: JournalRing, after seq: Int64) -> ([JournalScan.Location], UInt64) {
        while true {
            let drawing = ring.drawing.load()
            var locations = JournalScan.records(in: ring, after: seq)
            if JournalRing.isTakenBack(drawing) {
                // A record that its sender completed before it saw that, and has not erased, is the last.
                let head = ring.head.load()
                locations.removeAll { $0.record.position >= head && !ring.isDamaged }
                return (locations, JournalRing.number(drawing))
            }
            guard drawing > 0, !locations.contains(where: { UInt64($0.seq) == drawing }) else { return (locations, 0) }
            if ring.takeBack(drawing) { return (locations, drawing) }
        }
    }
}
