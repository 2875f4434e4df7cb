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

    /// Starts at the ring's tail. What the writer has published before is seen.
    init(_ ring: JournalRing, after seq: Int64) {
        self.ring = ring
        // In this order: a number that is neither being drawn nor in the ring now is not this writer's.
        drawing = ring.drawing.load()
        end = ring.head.load()
        position = ring.tail.load()
        if end &- position > UInt64(ring.capacity) {  // a damaged header
            isDamaged = true
            position = end
        }
        seek(after: seq)
    }

    /// Passes the record that stands next.
    mutating func advance(after seq: Int64) {
        if let next { position += UInt64(next.size) }
        seek(after: seq)
    }

    /// Goes to the next event or drop with a number above `seq`.
    private mutating func seek(after seq: Int64) {
        next = nil
        while position < end {
            let (record, room) = ring.place(position)
            if room < JournalRecord.headerSize {
                position += UInt64(room)
            } else if !record.isValid(room: min(room, Int(end - position)), position: position) {
                isDamaged = true
                position += 8
            } else if record.kind == .skip {
                position += UInt64(room)
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
        return ring.isWriterAlive
    }
}
