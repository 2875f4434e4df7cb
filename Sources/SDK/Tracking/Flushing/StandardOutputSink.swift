internal import EventLog
internal import EventModel
internal import Foundation

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
