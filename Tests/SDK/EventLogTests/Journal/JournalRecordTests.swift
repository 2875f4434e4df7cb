import EventModel
import Testing

@testable import EventLog

@Suite("A journal's record")
struct JournalRecordTests {
    private func withRecord(line: String, name: String, _ body: (JournalRecord, Int) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0xAA)
            guard let base = memory.baseAddress else { return }
            let record = JournalRecord(base: base)
            record.lineSpace(line.utf8.count).copyBytes(from: line.utf8)
            let stamp = EventStamp(
                id: EventID(high: 1, low: 2), time: EventTime(microseconds: -3), name: name, lineLength: line.utf8.count
            )
            body(record, record.finish(position: 640, seq: 7, stamp: stamp, kind: .event))
        }
    }

    @Test("holds what was written, at every length of line and name", arguments: 0...17)
    func roundTrip(length: Int) {
        for nameLength in 0...9 {
            let (line, name) = (String(repeating: "x", count: length), String(repeating: "n", count: nameLength))
            withRecord(line: line, name: name) { record, size in
                #expect(size == record.size && size % 8 == 0 && size >= 56 + length + nameLength)
                #expect(record.isValid(room: size, position: 640) && record.isValid(room: size, position: nil))
                #expect(
                    record.event
                        == EventRecord(
                            seq: 7, id: EventID(high: 1, low: 2), time: EventTime(microseconds: -3), name: name,
                            line: Array(line.utf8)))
            }
        }
    }

    @Test("is refused in too little room, and at another position")
    func roomAndPosition() {
        withRecord(line: "abc", name: "n") { record, size in
            for room in 0..<size { #expect(!record.isValid(room: room, position: 640)) }
            #expect(!record.isValid(room: size, position: 640 + 4096))
        }
    }

    @Test("shows every single bit that is turned over, padding included")
    func bitFlips() {
        withRecord(line: #"{"v":1,"id":"x"}"#, name: "search") { record, size in
            for offset in 0..<size {
                for bit in 0..<8 {
                    let byte = record.base.load(fromByteOffset: offset, as: UInt8.self)
                    record.base.storeBytes(of: byte ^ 1 << bit, toByteOffset: offset, as: UInt8.self)
                    #expect(!record.isValid(room: 1024, position: nil), "bit \(bit) of byte \(offset)")
                    record.base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
                }
            }
            #expect(record.isValid(room: size, position: 640))
        }
    }

    @Test("is refused with a number that no log gives out", arguments: [-1, EventRecord.highestSeq + 1, .max, .min])
    func wildNumber(seq: Int64) {
        withRecord(line: "abc", name: "n") { record, _ in
            let stamp = EventStamp(
                id: EventID(high: 1, low: 2), time: EventTime(microseconds: 0), name: "n", lineLength: 3)
            let size = record.finish(position: 640, seq: seq, stamp: stamp, kind: .event)
            #expect(!record.isValid(room: size, position: 640))
        }
    }
}
