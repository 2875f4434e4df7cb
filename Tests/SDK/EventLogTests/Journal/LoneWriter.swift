import EventModel
import Foundation

@testable import EventLog

/// A writer of a log without a mover: what it appends stays in its ring, as if its process had stopped there.
final class LoneWriter: Sendable {
    let control: JournalControl
    let ring: JournalRing
    let writer: JournalWriter
    /// A process that has ended.
    static let dead = ProcessIdentity(pid: 1, start: "ended")

    /// Makes a ring beside a log.
    ///
    /// - Parameter process: Who writes it, by what its header says.
    init(
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
    func append(length: Int = 10) -> Int64? {
        let (result, _) = writer.append(lineCapacity: length) { seq, line in
            let record = EventRecord.numbered(seq, length: length)
            line.copyBytes(from: record.line.prefix(length))
            return EventStamp(id: record.id, time: record.time, name: record.name, lineLength: length)
        }
        return try? result.get()
    }

    /// Draws a number as a sender does that ends before it has written the record.
    @discardableResult
    func drawAndStop() -> Int64 {
        let number = control.counter.increment()
        ring.drawing.publish(number)
        return Int64(number)
    }

    /// The numbers that a mover would find now.
    func waiting(after seq: Int64 = 0) -> [Int64] {
        var front = JournalFront(ring, after: seq)
        var seqs: [Int64] = []
        while let record = front.next {
            seqs.append(record.seq)
            front.advance(after: record.seq)
        }
        return seqs
    }

    /// Does as if everything had been moved.
    func takeAll() { ring.tail.publish(ring.head.load()) }
}

extension LogFolder {
    /// The folder of the journals.
    var journal: String { JournalFolder.path(of: path) }

    /// The names of what lies in the folder, sorted.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

    /// The reasons of all files that were put aside, by folder.
    func reasons() throws -> [String] {
        try names().filter { $0.contains(".damaged-") }.map { name in
            try String(decoding: Data(contentsOf: url.appendingPathComponent(name + "/reason.txt")), as: UTF8.self)
        }
    }

    /// Changes the bytes of a file where it stands.
    func change(_ file: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        body(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }
}

/// Numbers that look random and are the same in every run.
struct SteadyGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
