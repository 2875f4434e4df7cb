public import EventLog
internal import EventModel
internal import Foundation

/// A destination of events: a file, a collector, a queue.
///
/// A sink receives one batch at a time. Its cursor in the log advances when the sink acknowledges the batch. A batch is
/// redelivered with the same id and the same bytes if the process crashes before the answer is stored, or if the
/// delivery exceeds its deadline. To deliver exactly once, recognize such a batch by its id, by your checkpoint, by
/// `seq` or by the events' ids.
///
/// A sink is an object that all environments of a log share. A second object with the same name is rejected.
public protocol Sink: AnyObject, Sendable {
    /// The consumer's name in the log. It must stay the same across restarts.
    var name: String { get }

    /// Identifies where the sink delivers to, and with which credentials, without containing a secret. Stored with a pause
    /// and a halt: a sink with another target does not wait for their end. The default is empty.
    var target: String { get }

    /// Delivers a batch. After ``FlushPolicy/deadline`` the task is canceled and its result is ignored. The sink is not
    /// called again before it has returned.
    func deliver(_ batch: EventBatch) async -> DeliveryResult

    /// Reports whether delivered events were lost. Called at the start of each flush. The flusher then redelivers the
    /// events from ``SinkLoss/firstSeq`` on, as far as they are still in the log. The default implementation returns
    /// nil.
    ///
    /// - Parameter checkpoint: The checkpoint that the sink stored with its last delivery.
    func loss(since checkpoint: String) async -> SinkLoss?

    /// Deletes a user's events; see ``Tracker/erase(user:)``. Events of the user that were delivered before, also those whose
    /// delivery is still on its way, must not appear later. Called like ``deliver(_:)``: never at the same time, and with
    /// the same deadline. A request is repeated with the same id until the sink has answered. The default implementation
    /// returns ``ErasureAnswer/unsupported``.
    func erase(_ request: ErasureRequest) async -> ErasureAnswer
}

extension Sink {
    public var target: String { "" }
    public func erase(_ request: ErasureRequest) async -> ErasureAnswer { .unsupported }
    public func loss(since checkpoint: String) async -> SinkLoss? { nil }
}

/// Events that a sink received and lost.
public struct SinkLoss: Equatable, Sendable {
    /// The number of the first lost event.
    public let firstSeq: Int64
    /// The cause of the loss.
    public let reason: String

    /// Makes a loss.
    public init(firstSeq: Int64, reason: String) {
        self.firstSeq = firstSeq
        self.reason = reason
    }
}

/// Writes lines to standard output, each at least once: a pipe cannot report what it has received.
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
            return .retry(after: nil, reason: "cannot write to standard output: \(error)")
        }
        return .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
    }
}
