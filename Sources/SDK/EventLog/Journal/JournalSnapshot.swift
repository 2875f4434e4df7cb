internal import Foundation
internal import Primitives

/// The contents of a log's journals, for reading only. Valid while the control file's lock is held.
struct JournalSnapshot {
    private let rings: [JournalRing]
    let control: JournalControl

    /// Opens the journals in a folder, and runs `body` while movers are locked out.
    ///
    /// - Parameter clock: Paces the wait for movers.
    /// - Returns: The result of `body`; nil if there are no journals.
    /// - Throws: ``EventLogError`` `inUse`; `SystemError` if this user may not read them; errors from `body`.
    static func withLock<T>(
        _ folder: String, clock: LockClock, _ body: (JournalSnapshot) throws -> T
    ) throws -> T? {
        let control: JournalControl
        do {
            control = try JournalControl.openForReading(folder: folder)
        } catch let error as SystemError where error.code == ENOENT {
            return nil  // The log was closed.
        }
        try control.lock(timeout: JournalControl.readerTimeout, clock: clock)
        defer { control.unlock() }
        // The last writer may have closed the log meanwhile.
        guard control.file.isNamed else { return nil }
        let rings = try JournalFolder.ringNames(folder).compactMap { name -> JournalRing? in
            switch try JournalRing.find(folder: folder, name: name, isWritable: false) {
            case .ring(let ring), .damaged(let ring, _): ring
            default: nil  // It is empty, or has a format that this version cannot read.
            }
        }
        return try body(JournalSnapshot(rings: rings, control: control))
    }

    /// Calls `body` with every event after a number, in order, until it returns false. Stops at a number that a living
    /// sender is still drawing.
    func visit(after seq: Int64, _ body: (WholeRecord) throws -> Bool) rethrows {
        guard rings.contains(where: { $0.isWriterAlive }) else {
            // Ignores the headers, which a power failure may have set back.
            for location in rings.flatMap({ JournalScan.records(in: $0, after: seq) }).sorted(by: { $0.seq < $1.seq })
            where location.record.kind == .event {
                guard try body(location.record) else { return }
            }
            return
        }
        // Before the readers are made; see ``JournalMover``.
        let drawn = Int64(clamping: control.counter.load())
        var readers = rings.map { JournalRingReader($0, after: seq) }
        let waiting = readers.filter(\.mayBringMore)
        // Reading stops at this number, unless its record is there.
        let held = waiting.filter { $0.drawing != JournalRing.unknownNumber }.map { Int64(clamping: $0.drawing) }.min()
        // A writer that announces an unknown number may draw any number.
        let holdsAny = waiting.contains { $0.drawing == JournalRing.unknownNumber }
        var last = seq
        while let index = readers.indices.filter({ readers[$0].next != nil }).min(by: {
            readers[$0].next?.seq ?? .max < readers[$1].next?.seq ?? .max
        }), let record = readers[index].next {
            if record.seq > drawn { return }
            if let held, held > last, held < record.seq { return }
            if holdsAny, record.seq > last + 1 { return }
            if record.kind == .event { guard try body(record) else { return } }
            last = record.seq
            readers[index].advance(after: last)
        }
    }
}
