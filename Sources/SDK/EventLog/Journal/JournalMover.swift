internal import EventModel
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

    init(folder: JournalFolder) { self.folder = folder }

    /// What became of a round.
    struct Round {
        var eventCount = 0
        var lastSeq: Int64 = 0
        /// Whether a number is still in the hands of a live sender, so that what follows it has to wait.
        var isHeldUp = false
        /// Rings in which something else than records was found.
        var damaged: [JournalRing] = []
    }

    /// Whether there is anything to move.
    func hasWork(after lastSeq: Int64) -> Bool {
        min(folder.control.counter.load(), UInt64(EventRecord.highestSeq)) > UInt64(max(lastSeq, 0))
            || folder.rings.values.contains { ring in
                ring.head.load() != ring.tail.load() || hasUncountedDrops(ring)
            }
    }

    /// Moves up to `limit` events in one transaction. Under the control file's lock.
    mutating func move(limit: Int, _ db: Database, enforcing enforce: (Database) throws -> Void) throws -> Round {
        var round = Round()
        var readers: [JournalRingReader] = []
        var drops: [String: UInt64] = [:]
        try db.inTransaction(.immediate) {
            round.lastSeq = try EventRow.lastSeq(db)
            // Before the readers are made: a sender that drew a number up to this one has written it to its ring by now.
            // About a higher one they say nothing: while one is read, a number may be drawn in another that was read
            // before.
            let drawn = folder.drawn(after: round.lastSeq)
            readers = folder.rings.values.map { JournalRingReader($0, after: round.lastSeq) }
            var insertion = try EventInsertion(db, after: round.lastSeq)
            while round.eventCount < max(limit, 1) {
                var lowest: (index: Int, seq: Int64)?
                for index in readers.indices {
                    guard let seq = readers[index].next?.seq, seq <= drawn, seq < lowest?.seq ?? .max else { continue }
                    lowest = (index, seq)
                }
                let end = lowest.map { $0.seq - 1 } ?? drawn
                if end > insertion.lastSeq {
                    let missing = insertion.lastSeq + 1...end
                    let known = Self.lost(missing, readers)
                    if let known {
                        let isDamaged = known.lowerBound <= folder.damagedUpTo || readers.contains { $0.isDamaged }
                        try insertion.skip(known, because: isDamaged ? .damaged : .interrupted)
                    }
                    guard known == missing else {
                        round.isHeldUp = true
                        break
                    }
                }
                guard let lowest, let record = readers[lowest.index].next else { break }
                try insertion.insert(record)
                round.eventCount += 1
                readers[lowest.index].advance(after: lowest.seq)
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
        for reader in readers {
            reader.ring.tail.publish(reader.position)
            // A file that was found damaged when it was opened is put aside already.
            if reader.isDamaged && !reader.ring.isDamaged { round.damaged.append(reader.ring) }
        }
        return round
    }

    /// The part of missing numbers, from the first on, that no live sender holds.
    private static func lost(_ missing: ClosedRange<Int64>, _ readers: [JournalRingReader]) -> ClosedRange<Int64>? {
        // A sender holds one number at a time; one that says "unknown" may hold any.
        let held = readers.compactMap { reader -> Int64? in
            if reader.drawing == JournalRing.unknownNumber {
                return reader.mayHold(missing.lowerBound) ? missing.lowerBound : nil
            }
            guard reader.drawing > 0, let seq = Int64(exactly: reader.drawing), missing.contains(seq) else {
                return nil
            }
            return reader.mayHold(seq) ? seq : nil
        }.min()
        guard let held else { return missing }
        return held > missing.lowerBound ? missing.lowerBound...held - 1 : nil
    }

    /// Whether the ledger does not have all of a ring's drops.
    func hasUncountedDrops(_ ring: JournalRing) -> Bool { dropCount(ring) != countedDrops[ring.name, default: 0] }

    private func dropCount(_ ring: JournalRing) -> UInt64 { ring.drops.reduce(0) { $0 &+ $1.count } }

    /// Stores everything that the rings of ended writers hold, whatever their headers say, while no writer lives.
    /// Under the control file's lock.
    static func recover(_ rings: [JournalRing], drawn: Int64, _ db: Database) throws {
        try db.inTransaction(.immediate) {
            let last = try EventRow.lastSeq(db)
            let places = rings.flatMap { JournalScan.records(in: $0, after: last) }.sorted { $0.seq < $1.seq }
            let interrupted = Set(rings.map { $0.drawing.load() })
            // Ended between drawing a number and saying which.
            var unknown = rings.count { $0.drawing.load() == JournalRing.unknownNumber }
            var insertion = try EventInsertion(db, after: last)
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
            for place in places where place.seq > insertion.lastSeq {
                try skip(to: place.seq - 1)
                try insertion.insert(place.record)
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
}
