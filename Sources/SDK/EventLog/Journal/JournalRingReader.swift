/// Reads a ring in order, from its tail to the head as of the start of the reading, plus the one record past the head
/// that may already be complete.
package struct JournalRingReader {
    let ring: JournalRing
    /// The number that the writer was drawing before the head was read; 0 for none.
    let drawing: UInt64
    private let end: UInt64
    /// The position after all records that were read and published.
    private(set) var position: UInt64
    /// The next record; nil at the end.
    package private(set) var next: WholeRecord?
    /// Whether bytes were skipped that are not a record.
    package private(set) var isDamaged = false
    /// The remaining records that a scan found, if the header cannot be used.
    private var locations: ArraySlice<JournalScan.Location>?
    /// Whether to read the record past the head. False in a ring that this process may be
    /// writing to.
    private let readsPastHead: Bool

    /// Starts at the ring's tail. Sees all records that the writer has published so far.
    ///
    /// - Parameter scans: Whether to read records before the tail, too, because they may not be in the database.
    package init(_ ring: JournalRing, after seq: Int64, readsPastHead: Bool = true, scans: Bool = false) {
        self.ring = ring
        self.readsPastHead = readsPastHead
        // In this order: a number that is neither being drawn nor in the ring now is not this writer's.
        drawing = ring.drawing.load()
        end = ring.head.load()
        position = ring.tail.load()
        if ring.isDamaged || end &- position > UInt64(ring.capacity) || (end | position) & 7 != 0 {
            // The header does not show where the records are.
            isDamaged = true
        }
        if isDamaged || scans { locations = JournalScan.records(in: ring, after: seq)[...] }
        seek(after: seq)
    }

    /// The number of ``next``.
    var nextSeq: Int64? { next?.seq }

    /// Continues after the current record.
    package mutating func advance(after seq: Int64) {
        if locations == nil, let next, position < end { position += UInt64(next.size) }
        seek(after: seq)
    }

    /// Finds the next event or drop with a number above `seq`.
    private mutating func seek(after seq: Int64) {
        next = nil
        if let locations {
            let left = locations.drop { $0.seq <= seq }
            self.locations = left
            next = left.first?.record
            if left.isEmpty { position = end }
            return
        }
        while position < end {
            let (location, room) = ring.location(position)
            if room < JournalRecord.headerSize {
                position = min(position + UInt64(room), end)
                continue
            }
            guard let record = location.whole(room: min(room, Int(end - position)), position: position) else {
                isDamaged = true
                position += 8
                continue
            }
            if record.kind == .skip {
                position = min(position + UInt64(room), end)
            } else if record.seq <= seq {
                position += UInt64(record.size)
            } else {
                next = record
                return
            }
        }
        if readsPastHead { next = ring.unpublished(at: end, after: seq, drawing: drawing) }
    }

    /// Whether a number may still come from this writer.
    var mayBringMore: Bool {
        guard drawing > 0, !JournalRing.isReclaimed(drawing) else { return false }
        // A writer that has ended since the head was read may have published the number before it ended. Only a new
        // reading shows that.
        return ring.isWriterAlive || ring.head.load() != end
    }
}

extension JournalRing {
    /// Whether no record of a seized ring is missing in the database, now or later: after the seal, its writer
    /// completes only records that it has already announced.
    func isEmptyForGood(after lastSeq: Int64) -> Bool {
        guard drawnWhenSeized != nil, !isDamaged else { return false }
        let drawing = drawing.load()
        guard drawing == 0 || Self.isReclaimed(drawing) else { return false }
        let head = head.load()
        return head == tail.load() && unpublished(at: head, after: lastSeq, drawing: drawing) == nil
    }

    /// The record past the head, if it is complete: its writer was stopped or ended before it published the head.
    ///
    /// Ignores a record whose number was reclaimed, because its writer sends that event under another number. A number
    /// of this process is never reclaimed once its record is complete.
    fileprivate func unpublished(at head: UInt64, after seq: Int64, drawing: UInt64) -> WholeRecord? {
        guard !Self.isReclaimed(drawing), !isDamaged, head & 7 == 0, head < 1 << 62 else { return nil }
        var position = head
        var (location, room) = location(position)
        if room < JournalRecord.headerSize || location.whole(room: room, position: position)?.kind == .skip {
            position += UInt64(room)
            (location, room) = self.location(position)
        }
        guard let record = location.copied(room: room, position: position),
            record.kind == .event || record.kind == .drop, record.seq > seq,
            drawing == 0 || drawing == UInt64(record.seq)
        else { return nil }
        return record
    }
}

/// Finds the records of a ring by their contents, without trusting the header: after a power failure any page may be an
/// old version.
package enum JournalScan {
    /// A record that a scan found.
    package struct Location {
        let seq: Int64
        package let record: WholeRecord
    }

    /// All intact records with a number above `seq`, sorted by number. A record of an earlier lap has a lower number.
    package static func records(in ring: JournalRing, after seq: Int64) -> [Location] {
        var locations: [Location] = []
        var offset = 0
        while offset + JournalRecord.headerSize <= ring.capacity {
            let location = JournalRecord(base: ring.data + offset)
            let room = ring.capacity - offset
            guard let found = location.whole(room: room, position: nil),
                found.position % UInt64(ring.capacity) == UInt64(offset)
            else {
                offset += 8
                continue
            }
            offset += found.size
            guard found.seq > seq, found.kind == .event || found.kind == .drop else { continue }
            // Its writer may be alive, and overwrite the record before it is used.
            guard let record = location.copied(room: room, position: found.position), record.seq == found.seq else {
                continue
            }
            locations.append(Location(seq: record.seq, record: record))
        }
        return locations.sorted { $0.seq < $1.seq }
    }
}
