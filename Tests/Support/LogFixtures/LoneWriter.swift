package import EventLog
internal import EventModel

/// A writer of a log without a mover: what it appends stays in its ring, as if its process had stopped there.
package final class LoneWriter: Sendable {
    package let control: JournalControl
    package let ring: JournalRing
    package let writer: JournalWriter
    /// A process that has ended.
    package static let dead = ProcessIdentity(pid: 1, start: "ended")

    /// Makes a ring beside a log.
    ///
    /// - Parameter process: Who writes it, by what its header says.
    package init(
        _ folder: LogFolder, _ name: String = "writer-1-a", process: ProcessIdentity = LoneWriter.dead,
        capacity: Int = 256 << 10
    ) throws {
        let path = JournalFolder.path(of: folder.path)
        let found: JournalControl.Found
        (control, found) = try JournalControl.openLocked(folder: path, timeout: .seconds(5))
        if case .new = found { control.setInstallID("install-1") }
        ring = try JournalRing.create(folder: path, name: name, capacity: capacity, writer: process)
        control.ringsGeneration.increment()
        control.unlock()
        writer = JournalWriter(
            control: control, ring: ring, maximumPendingBytes: .max, installID: "install-1", newest: nil)
    }

    /// Appends an event whose line says its number, and gives that.
    @discardableResult
    package func append(length: Int = 10) -> Int64? {
        let (result, _) = writer.append(lineCapacity: length) { seq, line in
            let record = EventRecord.numbered(seq, length: length)
            line.copyBytes(from: record.line.prefix(length))
            return EventStamp(id: record.id, time: record.time, name: record.name, lineLength: length)
        }
        return try? result.get()
    }

    /// Draws a number as a sender does that ends before it has written the record.
    @discardableResult
    package func drawAndStop() -> Int64 {
        let number = control.counter.increment()
        ring.drawing.publish(number)
        return Int64(number)
    }

    /// The numbers that a mover would find now.
    package func waiting(after seq: Int64 = 0) -> [Int64] {
        var reader = JournalRingReader(ring, after: seq)
        var seqs: [Int64] = []
        while let record = reader.next {
            seqs.append(record.seq)
            reader.advance(after: record.seq)
        }
        return seqs
    }

    /// Does as if everything had been moved.
    package func takeAll() { ring.tail.publish(ring.head.load()) }
}
