import CBaselines
import EventLog
import EventModel
import Foundation
import TrackingCore

/// A search sent in C, with the same work as the SDK's: the baseline of `send`.
final class SendBaseline {
    /// As large as the first ring of a log.
    private static let capacity = 4 << 20
    private static let query = "swift event tracking"
    private static let page: Int64 = 3

    private let sender: OpaquePointer

    /// Makes a sender of the same install, session and user as those of an event that the SDK has sent.
    ///
    /// - Throws: ``BenchmarkFailure`` unless it writes the event's line byte for byte, and records that a journal takes.
    init(_ folder: LogFolder, like event: EventRecord) throws {
        let descriptor = open(folder("ring"), O_CREAT | O_RDWR, 0o600)
        let container = try RecordedContainer(line: event.line)
        guard descriptor >= 0, let session = container.json[.sessionID]?.stringValue,
            let user = container.json[.userID]?.stringValue
        else { throw BenchmarkFailure("cannot create a ring in \(folder.path)") }
        let sender = sender_open(
            descriptor, Self.capacity, container.installID, session, user, LiveEnvironment.context.app,
            LiveEnvironment.context.os, TrackingContext.sdk)
        guard let sender else { throw BenchmarkFailure("cannot map a ring in \(folder.path)") }
        self.sender = sender
        guard line(id: event.id, seq: event.seq, time: event.time) == event.line else {
            throw BenchmarkFailure("the C baseline's line differs from the SDK's")
        }
        guard let sent = sender_send(sender, Self.query, Self.query.utf8.count, Self.page) else {
            throw BenchmarkFailure("the C baseline cannot send")
        }
        guard let own = JournalRecord(base: sent).whole(room: Self.capacity, position: 0)?.event,
            own.name == event.name, own.line == line(id: own.id, seq: own.seq, time: own.time)
        else { throw BenchmarkFailure("the journal rejects the C baseline's record") }
    }

    deinit { sender_close(sender) }

    private func line(id: EventID, seq: Int64, time: EventTime) -> [UInt8] {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { memory in
            let length = sender_line(
                sender, id.high, id.low, seq, time.microseconds, Self.query, Self.query.utf8.count, Self.page,
                memory.baseAddress)
            return memory.prefix(length).map { UInt8(bitPattern: $0) }
        }
    }

    /// Nanoseconds an event.
    func measure(count: Int) throws -> Double {
        let total = baseline_send(sender, Self.query, Self.query.utf8.count, Self.page, Int64(count))
        guard total > 0 else { throw BenchmarkFailure("the C baseline's ring is full") }
        return Double(total) / Double(count)
    }

    /// Nanoseconds that loop and clock take of an event.
    static func clock(count: Int) -> Double { Double(baseline_clock(Int64(count))) / Double(count) }
}

/// Counts the instructions that a thread runs, on machines that say so.
enum Instructions {
    /// The instructions that `work` takes, outside of the system; nil where they can't be read.
    static func count(_ work: () -> Void) -> Int64? {
        let descriptor = instructions_open()
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let before = instructions_read(descriptor)
        work()
        let after = instructions_read(descriptor)
        return before >= 0 && after > before ? after - before : nil
    }
}
