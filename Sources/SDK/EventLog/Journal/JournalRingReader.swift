/// Reads a ring in order, from its tail to what was its head when the reading began.
package struct JournalRingReader {
    let ring: JournalRing
    /// The number that the writer was drawing before the head was read; 0 for none.
    let drawing: UInt64
    private let end: UInt64
    /// Behind everything that was passed.
    private(set) var position: UInt64
    /// The number of the record that stands next; nil at the end.
    package private(set) var next: JournalRecord?
    /// Whether bytes were passed that were no record.
    package private(set) var isDamaged = false
    /// The records that a scan found and that stand next, if the header is of no use.
    private var places: ArraySlice<JournalScan.Place>?

    /// Starts at the ring's tail. What the writer has published before is seen.
    package init(_ ring: JournalRing, after seq: Int64) {
        self.ring = ring
        // In this order: a number that is neither being drawn nor in the ring now is not this writer's.
        drawing = ring.drawing.load()
        end = ring.head.load()
        position = ring.tail.load()
        if ring.isDamaged || end &- position > UInt64(ring.capacity) || (end | position) & 7 != 0 {
            // Where the records lie can't be told from the header.
            isDamaged = true
            places = JournalScan.records(in: ring, after: seq)[...]
        }
        seek(after: seq)
    }

    /// Passes the record that stands next.
    package mutating func advance(after seq: Int64) {
        if places == nil, let next { position += UInt64(next.size) }
        seek(after: seq)
    }

    /// Goes to the next event or drop with a number above `seq`.
    private mutating func seek(after seq: Int64) {
        next = nil
        if let places {
            let left = places.drop { $0.seq <= seq }
            (self.places, next) = (left, left.first?.record)
            if left.isEmpty { position = end }
            return
        }
        while position < end {
            let (record, room) = ring.place(position)
            if room < JournalRecord.headerSize {
                position = min(position + UInt64(room), end)
            } else if !record.isValid(room: min(room, Int(end - position)), position: position) {
                isDamaged = true
                position += 8
            } else if record.kind == .skip {
                position = min(position + UInt64(room), end)
            } else if record.seq <= seq {
                position += UInt64(record.size)
            } else {
                next = record
                return
            }
        }
    }

    /// Whether the number may still come from this writer.
    func mayHold(_ seq: Int64) -> Bool {
        guard drawing == UInt64(seq) || drawing == JournalRing.unknownNumber else { return false }
        // A writer that has ended since the head was read may have published the number before: that shows only in a
        // new reading.
        return ring.isWriterAlive || ring.head.load() != end
    }
}

/// Finds the records of a ring by what they are, without trusting its header: after a power failure any page may be
/// an old one.
package enum JournalScan {
    /// A record found.
    package struct Place {
        let seq: Int64
        package let record: JournalRecord
    }

    /// All whole records with a number above `seq`, by number. A record of an earlier lap has a lower one.
    package static func records(in ring: JournalRing, after seq: Int64) -> [Place] {
        var places: [Place] = []
        var offset = 0
        while offset + JournalRecord.headerSize <= ring.capacity {
            let record = JournalRecord(base: ring.data + offset)
            guard record.isValid(room: ring.capacity - offset, position: nil),
                record.position % UInt64(ring.capacity) == UInt64(offset)
            else {
                offset += 8
                continue
            }
            if record.seq > seq, record.kind == .event || record.kind == .drop {
                places.append(Place(seq: record.seq, record: record))
            }
            offset += record.size
        }
        return places.sorted { $0.seq < $1.seq }
    }
}
