internal import EventModel
internal import Foundation

/// Where events are delivered to: a file, a collector, a queue.
///
/// The flusher calls a sink with one batch at a time, in the order of `seq`, and moves its cursor in the log when
/// the sink says so. A batch comes again after a crash between delivery and acknowledgement: a sink that must not
/// deliver twice recognises it by its checkpoint, by `seq` or by the events' ids.
public protocol Sink: Sendable {
    /// The consumer's name in the log; it must stay the same over restarts.
    var name: String { get }

    /// Delivers a batch.
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

/// Consecutive events of the log for one sink.
public struct EventBatch: Sendable {
    /// At most this many events.
    public static let maximumCount = 2_500
    /// At most this many bytes of lines with their line feeds.
    public static let maximumBytes = 500_000

    /// The events, oldest first, at least one.
    public let records: [EventRecord]
    /// What the sink stored with its last delivery; nil before the first.
    public let checkpoint: String?

    /// Makes a batch.
    public init(records: [EventRecord], checkpoint: String?) {
        self.records = records
        self.checkpoint = checkpoint
    }
}

/// What became of a batch.
public enum DeliveryResult: Sendable {
    /// Delivered up to this number (a part of the batch is fine). The checkpoint is stored with the cursor.
    case delivered(through: Int64, checkpoint: String?)
    /// Not now. Without a duration, the wait doubles from one second to five minutes.
    case retry(after: Duration?, reason: String)
    /// Never. A batch of several is halved until the event at fault is alone; that one is skipped and counted.
    case rejected(reason: String)
}

/// Writes lines to standard output, each at least once: a pipe cannot be asked what it has had.
public struct StandardOutputSink: Sink {
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
