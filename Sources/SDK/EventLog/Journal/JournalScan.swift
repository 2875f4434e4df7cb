/// Finds the records of a ring by what they are, without trusting its header: after a power failure any page may be
/// an old one.
enum JournalScan {
    /// A record found.
    struct Place {
        let seq: Int64
        let record: JournalRecord
    }

    /// All whole records with a number above `seq`, by number. A record of an earlier lap has a lower one.
    static func records(in ring: JournalRing, after seq: Int64) -> [Place] {
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
