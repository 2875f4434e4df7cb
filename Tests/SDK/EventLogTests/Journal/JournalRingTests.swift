import EventModel
import Foundation
import LogFixtures
import Primitives
import Testing

@testable import EventLog

@Suite("A journal's ring")
struct JournalRingTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    @Test("wraps around for lines of all lengths, and returns every record once, in order")
    func wrapAround() throws {
        let lone = try LoneWriter(folder)
        var generator = SteadyGenerator(state: 1)
        var (sent, read): ([Int64], [Int64]) = ([], [])
        while lone.ring.head.load() < UInt64(20 * lone.ring.capacity) {
            let seq = lone.append(length: Int.random(in: 20...9000, using: &generator))
            sent.append(try #require(seq))
            if Int.random(in: 0..<8, using: &generator) == 0 {
                read += lone.waiting()
                lone.takeAll()
            }
        }
        read += lone.waiting()
        #expect(sent == Array(1...Int64(sent.count)))
        #expect(read == sent)
    }

    @Test("a full ring rejects events without using a number, and accepts events when there is room")
    func full() throws {
        let lone = try LoneWriter(folder)
        var count: Int64 = 0
        while lone.append(length: 1000) != nil { count += 1 }
        #expect(count > 200)
        let (outcome, _) = lone.writer.append(lineCapacity: 1000) { _, _ in nil }
        #expect(outcome == .dropped(EventDropped(.backlogFull)))
        #expect(lone.waiting() == Array(1...count))
        lone.takeAll()
        #expect(lone.append(length: 1000) == count + 1)
        #expect(lone.waiting() == [count + 1])
    }

    @Test("a record of an earlier lap is never read as new, wherever the reading starts")
    func lapped() throws {
        let lone = try LoneWriter(folder)
        while lone.ring.head.load() < UInt64(3 * lone.ring.capacity / 2) {
            lone.append(length: 300)
            lone.takeAll()
        }
        let (head, capacity) = (lone.ring.head.load(), UInt64(lone.ring.capacity))
        for position in stride(from: head - capacity, through: head, by: 8) {
            lone.ring.tail.publish(position)
            let reader = JournalRingReader(lone.ring, after: 0)
            guard let first = reader.next else { continue }
            #expect(first.position >= position && first.position < head)
        }
        lone.ring.tail.publish(head)
        // The header claims another lap than was written, so no record has those positions.
        lone.ring.tail.publish(head + 8)
        lone.ring.head.publish(head + capacity)
        #expect(lone.waiting() == [])
    }

    @Test("any values in the header cause no trap and no invented record")
    func wildHeader() throws {
        let lone = try LoneWriter(folder)
        var sent = Set((1...20).compactMap { _ in lone.append() })
        let (head, tail) = (lone.ring.head.load(), lone.ring.tail.load())
        let words: [UInt64] = [
            0, 1, 7, 8, 56, head, head + 1, head - 8, head + 8, UInt64(lone.ring.capacity), 1 << 32, .max, .max - 7,
            1 << 63,
        ]
        for first in words {
            for second in words {
                lone.ring.head.publish(first)
                lone.ring.tail.publish(second)
                let seqs = lone.waiting()
                #expect(seqs == seqs.sorted() && Set(seqs).isSubset(of: sent))
                if let seq = lone.append(length: 40) { sent.insert(seq) }
                lone.ring.head.publish(head)
                lone.ring.tail.publish(tail)
            }
        }
    }

    @Test("any bytes in the ring cause no trap and no invented record")
    func garbage() throws {
        let lone = try LoneWriter(folder, capacity: 16 << 10)
        for _ in 1...20 { lone.append() }
        let used = Int(lone.ring.head.load())
        var generator = SteadyGenerator(state: 2)
        for _ in 0..<2000 {
            let offset = Int.random(in: 0..<used, using: &generator)
            lone.ring.data.storeBytes(of: generator.next(), toByteOffset: offset & ~7, as: UInt64.self)
            let seqs = lone.waiting()
            #expect(seqs == seqs.sorted() && Set(seqs).isSubset(of: Set(1...20)))
            #expect(Set(JournalScan.records(in: lone.ring, after: 0).map(\.seq)).isSubset(of: Set(1...20)))
        }
    }

    // make sanitize-thread sets the variable. The test scans a ring while its writer runs, and relies on the checksum.
    @Test(
        "a record overwritten during a scan is read intact or not at all",
        .enabled(if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil, "the race is intended"))
    func changing() throws {
        // Small, because a scan looks for the next record in all of it.
        let lone = try LoneWriter(folder, capacity: 16 << 10)
        lone.append(length: 40)
        let shape = SharedWord(lone.ring.data, offset: 48)
        let line = SharedWord(lone.ring.data, offset: 64)
        let (isOver, known) = (Locked(false), shape.load())
        let text = line.load()
        let other = Thread {
            while !isOver.withLock({ $0 }) {
                shape.publish(known ^ 0x3F)
                line.publish(~text)
                shape.publish(known)
                line.publish(text)
            }
            isOver.withLock { $0 = false }
        }
        other.start()
        var (found, wrong) = (0, 0)
        for _ in 0..<20_000 {
            for location in JournalScan.records(in: lone.ring, after: 0) {
                found += 1
                let bytes = Array(location.record.line)
                if bytes != EventRecord.numbered(1, length: 40).line { wrong += 1 }
            }
        }
        isOver.withLock { $0 = true }
        while isOver.withLock({ $0 }) { sched_yield() }
        #expect(found > 0 && wrong == 0)
    }

    @Test("an event is rejected if its closure returns more bytes than its capacity")
    func tooMuch() throws {
        let lone = try LoneWriter(folder)
        let stamp = EventStamp(id: EventID(high: 0, low: 1), time: EventTime(seconds: 0), name: "n", lineLength: 11)
        #expect(lone.writer.append(lineCapacity: 10) { _, _ in stamp }.outcome == .dropped(EventDropped(.tooLarge)))
        #expect(lone.append() == 1)
    }

    @Test(
        "a counter beyond the highest number stops drawing, without a trap",
        arguments: [UInt64(1) << 53, 1 << 63, .max])
    func wildCounter(value: UInt64) throws {
        let lone = try LoneWriter(folder)
        lone.control.counter.publish(value)
        #expect(lone.append() == nil)
        #expect(lone.waiting() == [])
    }
}
