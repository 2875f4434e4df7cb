/// Reads a ring in order, from its tail to what was its head when the reading began.
struct JournalFront {
    let ring: JournalRing
    /// The number that the writer was drawing before the head was read; 0 for none.
    let drawing: UInt64
    private let end: UInt64
    /// Behind everything that was passed.
    private(set) var position: UInt64
    /// The number of the record that stands next; nil at the end.
    private(set) var next: JournalRecord?
    /// Whether bytes were passed that were no record.
    private(set) var isDamaged = false
    /// The records that a scan found and that stand next, if the header is of no use.
    private var places: ArraySlice<JournalScan.Place>?

    /// Starts at the ring's tail. What the writer has published before is seen.
    init(_ ring: JournalRing, after seq: Int64) {
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
    mutating func advance(after seq: Int64) {
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
