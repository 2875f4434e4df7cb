package import EventLog
internal import EventModel
internal import Foundation
import Primitives

/// A writer of a log without a ring reader: appended events stay in its ring, as if its process had stopped.
package final class LoneWriter: Sendable {
    package let control: JournalControl
    package let ring: JournalRing
    package let writer: JournalWriter
    /// Creates a ring next to a log.
    ///
    /// - Parameter isAlive: Whether the writer holds its lock, like a living process.
    package convenience init(
        _ folder: LogFolder, _ name: String = "writer-1-a", isAlive: Bool = false, capacity: Int = 256 << 10
    ) throws { try self.init(log: folder.path, name, isAlive: isAlive, capacity: capacity) }

    /// Creates a ring for the log with a path.
    package init(log: String, _ name: String, isAlive: Bool, capacity: Int = 256 << 10) throws {
        let path = JournalFolder.path(of: log)
        let found: JournalControl.Found
        (control, found) = try JournalControl.openLocked(folder: path, timeout: .seconds(5))
        if case .new = found { control.setInstall(LogGeneration(installID: "install-1", secret: "")) }
        let made = try JournalRing.create(folder: path, name: name, capacity: capacity)
        if isAlive {
            ring = made
        } else {
            // A process that has the file open without its lock does not count as alive.
            guard case .ring(let found) = try JournalRing.find(folder: path, name: name, isWritable: true) else {
                throw SystemError("open", path: path)
            }
            ring = found
        }
        control.ringsGeneration.increment()
        control.unlock()
        writer = JournalWriter(
            control: control, ring: ring, supply: JournalSupply(only: ring),
            log: LogGeneration(installID: "install-1", secret: ""), newest: nil)
    }

    /// Appends an event whose line contains its number, and returns the number.
    @discardableResult
    package func append(length: Int = 10) -> Int64? {
        let (outcome, _) = writer.append(lineCapacity: length) { seq, line in
            let record = EventRecord.numbered(seq, length: length)
            line.copyBytes(from: record.line.prefix(length))
            return EventStamp(id: record.id, time: record.time, name: record.name, lineLength: length)
        }
        if case .accepted(let seq) = outcome { return seq }
        return nil
    }

    /// Reserves a number like a sender that ends before it has written the record.
    @discardableResult
    package func drawAndStop() -> Int64 {
        let number = control.counter.increment()
        ring.drawing.publish(number)
        return Int64(number)
    }

    /// The numbers that a ring reader would find now.
    package func waiting(after seq: Int64 = 0) -> [Int64] {
        var reader = JournalRingReader(ring, after: seq)
        var seqs: [Int64] = []
        while let record = reader.next {
            seqs.append(record.seq)
            reader.advance(after: record.seq)
        }
        return seqs
    }

    /// Marks everything as moved.
    package func takeAll() { ring.tail.publish(ring.head.load()) }
}
