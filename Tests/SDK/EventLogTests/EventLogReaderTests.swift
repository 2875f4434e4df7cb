import EventModel
import Foundation
import LogFixtures
import Primitives
import Testing

@testable import EventLog

/// A reader returns the events of the database, and then those in the journals.
@Suite("Event log reader")
struct EventLogReaderTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    /// Makes a closed log with `count` events.
    private func leave(_ count: Int) async throws {
        let store = try folder.open()
        for _ in 0..<count { store.append() }
        try await store.close()
    }

    private func seqs(_ reader: EventLogReader, withStamps: Bool = true) throws -> [Int64] {
        var seqs: [Int64] = []
        try reader.forEach(withStamps: withStamps) { event in
            seqs.append(event.seq)
            return true
        }
        return seqs
    }

    @Test("the reader reads events of a killed process without changing the log")
    func killedWriter() async throws {
        try await leave(3)
        let killed = try LoneWriter(folder)
        killed.control.counter.raise(to: 3)
        for _ in 0..<4 { killed.append() }
        let before = try Data(contentsOf: URL(fileURLWithPath: killed.ring.file.path))
        let reader = try EventLogReader(path: folder.path)
        #expect(try seqs(reader) == Array(1...7))
        #expect(try reader.read(after: 3).map(\.seq) == [4, 5, 6, 7])
        #expect(try reader.read(after: 5, maximumCount: 1).first == .numbered(6))
        let statistics = try reader.statistics()
        #expect((statistics.count, statistics.bytes, statistics.firstSeq, statistics.lastSeq) == (7, 70, 1, 7))
        #expect(try Data(contentsOf: URL(fileURLWithPath: killed.ring.file.path)) == before)
    }

    @Test("the reader waits for a mover that holds the lock for six seconds, as on a slow disk")
    func slowMover() async throws {
        try await leave(1)
        let living = try LoneWriter(folder, isAlive: true)
        living.control.counter.raise(to: 1)
        living.append()
        let control = living.control
        try control.lock(timeout: .seconds(60))
        // The reader's sleeps pass the time. After six seconds the mover is done.
        let (start, passed) = (ContinuousClock.now, Locked(Duration.zero))
        let clock = LockClock(
            now: { start + passed.withLock { $0 } },
            sleep: { microseconds in
                let isOver = passed.withLock { passed in
                    passed += .microseconds(microseconds)
                    return passed >= .seconds(6)
                }
                if isOver { control.unlock() }
            })
        #expect(try seqs(EventLogReader(path: folder.path, clock: clock)) == [1, 2])
        #expect(passed.withLock { $0 } >= .seconds(6))
    }

    @Test("the reader stops at a number that a living writer is drawing, and skips a dead writer's")
    func heldNumber() async throws {
        try await leave(1)
        let living = try LoneWriter(folder, "writer-1-a", isAlive: true)
        living.control.counter.raise(to: 1)
        living.append()
        living.drawAndStop()
        let other = try LoneWriter(folder, "writer-1-b", isAlive: true)
        other.append()
        let reader = try EventLogReader(path: folder.path)
        let shown = try seqs(reader)
        #expect(shown == [1, 2])
        living.ring.markGone()
        let all = try seqs(reader)
        #expect(all == [1, 2, 4])
    }

    @Test("returning false stops the reading; lines are the same without stamps")
    func stopping() async throws {
        try await leave(10)
        let reader = try EventLogReader(path: folder.path)
        var shown: [Int64] = []
        try reader.forEach(after: 2) { event in
            #expect(Array(event.line) == EventRecord.numbered(event.seq).line)
            #expect(Array(event.name) == Array("numbered".utf8))
            shown.append(event.seq)
            return event.seq < 5
        }
        #expect(shown == [3, 4, 5])
        #expect(try seqs(reader, withStamps: false) == Array(1...10))
    }
}
