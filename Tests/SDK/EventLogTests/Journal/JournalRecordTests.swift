import EventModel
import Testing

@testable import EventLog

@Suite("A journal's record")
struct JournalRecordTests {
    private func withRecord(line: String, name: String, _ body: (JournalRecord, Int) throws -> Void) throws {
        try withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0xAA)
            guard let base = memory.baseAddress else { return }
            let record = JournalRecord(base: base)
            record.lineSpace(line.utf8.count).copyBytes(from: line.utf8)
            let stamp = EventStamp(
                id: EventID(high: 1, low: 2), time: EventTime(microseconds: -3), name: name, lineLength: line.utf8.count
            )
            try body(record, record.finish(seq: 7, stamp))
        }
    }

    @Test("keeps the written values, for all lengths of line and name", arguments: 0...17)
    func roundTrip(length: Int) throws {
        for nameLength in 0...9 {
            let (line, name) = (String(repeating: "x", count: length), String(repeating: "n", count: nameLength))
            try withRecord(line: line, name: name) { record, size in
                let whole = record.whole(room: size, position: 640)
                #expect(size == whole?.size && size % 8 == 0 && size >= 56 + length + nameLength)
                #expect(record.whole(room: size, position: nil) != nil)
                #expect(
                    whole?.event
                        == EventRecord(
                            seq: 7, id: EventID(high: 1, low: 2), time: EventTime(microseconds: -3), name: name,
                            line: Array(line.utf8)))
            }
        }
    }

    @Test("is rejected with too little room, and at another position")
    func roomAndPosition() throws {
        try withRecord(line: "abc", name: "n") { record, size in
            for room in 0..<size { #expect(record.whole(room: room, position: 640) == nil) }
            #expect(record.whole(room: size, position: 640 + 4096) == nil)
        }
    }

    @Test("detects every flipped bit, including padding")
    func bitFlips() throws {
        try withRecord(line: #"{"v":1,"id":"x"}"#, name: "search") { record, size in
            for offset in 0..<size {
                for bit in 0..<8 {
                    let byte = record.base.load(fromByteOffset: offset, as: UInt8.self)
                    record.base.storeBytes(of: byte ^ 1 << bit, toByteOffset: offset, as: UInt8.self)
                    #expect(record.whole(room: 1024, position: nil) == nil, "bit \(bit) of byte \(offset)")
                    record.base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
                }
            }
            #expect(record.whole(room: size, position: 640) != nil)
        }
    }

    @Test("is rejected with a number outside the valid range", arguments: [-1, EventRecord.highestSeq + 1, .max, .min])
    func wildNumber(seq: Int64) throws {
        try withRecord(line: "abc", name: "n") { record, _ in
            let stamp = EventStamp(
                id: EventID(high: 1, low: 2), time: EventTime(microseconds: 0), name: "n", lineLength: 3)
            let size = try record.finish(seq: seq, stamp)
            #expect(record.whole(room: size, position: 640) == nil)
        }
    }

    @Test("rejects a name that is too long, and a line longer than its capacity")
    func limits() throws {
        try withRecord(line: "abc", name: "n") { record, _ in
            func stamp(_ name: Int, _ line: Int) -> EventStamp {
                EventStamp(
                    id: EventID(high: 1, low: 2), time: EventTime(microseconds: 0),
                    name: String(repeating: "n", count: name), lineLength: line)
            }
            #expect(throws: EventDropped(.invalidName)) { try record.finish(seq: 1, stamp(256, 3)) }
            #expect(throws: EventDropped(.tooLarge)) { try record.finish(seq: 1, stamp(1, 4), capacity: 3) }
            #expect(throws: EventDropped(.tooLarge)) { try record.finish(seq: 1, stamp(1, -1), capacity: 3) }
            let size = try record.finish(seq: 1, stamp(255, 3))
            #expect(record.whole(room: size, position: 640)?.size == size)
        }
    }
}

extension JournalRecord {
    /// Completes a record at position 640.
    ///
    /// - Parameter capacity: The capacity for its line; nil for exactly the line's length.
    fileprivate func finish(seq: Int64, _ stamp: EventStamp, capacity: Int? = nil) throws -> Int {
        let written = writeName(stamp, behindLineOf: capacity ?? stamp.lineLength)
        return try finish(position: 640, seq: seq, stamp: written.get(), kind: .event)
    }
}
