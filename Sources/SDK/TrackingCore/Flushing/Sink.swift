public import EventLog
internal import EventModel
internal import Foundation

/// Where events are delivered to: a file, a collector, a queue.
///
/// A sink gets one batch at a time, and its cursor in the log moves when it says so. A batch comes again, with the same id
/// and the same bytes, after a crash between delivery and answer, and after a delivery that took too long: a sink that must
/// not deliver twice recognises it by its id, by its checkpoint, by `seq` or by the events' ids.
///
/// A sink is an object: the environments of a log share it, and a second one of the same name is refused.
public protocol Sink: AnyObject, Sendable {
    /// The consumer's name in the log; it must stay the same over restarts.
    var name: String { get }

    /// Delivers a batch. After ``FlushPolicy/deadline`` the task is cancelled, and its answer is not waited for; the sink is
    /// not called again before it has returned.
    func deliver(_ batch: EventBatch) async -> DeliveryResult

    /// Tells whether something that was delivered is gone. Asked at the start of each flush; the flusher then
    /// delivers again from there, as far as the log still has it. A sink that can't tell need not implement it.
    ///
    /// - Parameter checkpoint: What the sink stored with its last delivery.
    func loss(since checkpoint: String) async -> SinkLoss?
}

extension Sink {
    public func loss(since checkpoint: String) async -> SinkLoss? { nil }
}

/// What a sink has lost of what it was given.
public struct SinkLoss: Equatable, Sendable {
    /// The number of the first event that is gone.
    public let firstSeq: Int64
    /// What happened.
    public let reason: String

    /// Makes one.
    public init(firstSeq: Int64, reason: String) {
        self.firstSeq = firstSeq
        self.reason = reason
    }
}

/// Writes lines to standard output, each at least once: a pipe cannot be asked what it has had.
public final class StandardOutputSink: Sink {
    public let name: String

    /// Makes the sink.
    public init(name: String = "standard-output") { self.name = name }

    public func deliver(_ batch: EventBatch) async -> DeliveryResult {
        var bytes = Data()
        for record in batch.records {
            bytes.append(contentsOf: record.line)
            bytes.append(UInt8(ascii: "\n"))
        }
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            return .retry(after: nil, reason: "standard output cannot be written: \(error)")
        }
        return .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
    }
}
