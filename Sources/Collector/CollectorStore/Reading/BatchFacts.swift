package import DeliveryProtocol
package import EventModel

/// The facts that a batch or import has about its lines, for counting. Lines that were reported as erased are included until
/// their bytes are removed.
package struct BatchFacts: Sendable {
    private let frame: BatchFrame
    package let receipt: Int64

    init(_ frame: BatchFrame, receipt: Int64) {
        self.frame = frame
        self.receipt = receipt
    }

    package var installID: String { frame.installID }
    package var receivedAt: EventTime { EventTime(microseconds: frame.receivedAt) }
    package var sentAt: EventTime? { frame.sentAt.map { EventTime(microseconds: $0) } }
    /// The numbers that the batch covers; nil for an import.
    package var seqs: ClosedRange<Int64>? { frame.seqs }
    /// The number of accepted lines.
    package var lines: Int { frame.lines.count }
    /// The highest number that the batch accounts for; 0 if none.
    package var highest: Int64 { max(frame.seqs?.upperBound ?? 0, frame.lines.last?.seq ?? 0) }
    /// The times of the first and the last event, by time; nil without accepted lines.
    package var times: ClosedRange<EventTime>? {
        let times = frame.lines.lazy.map(\.time)
        guard let first = times.min(), let last = times.max() else { return nil }
        return EventTime(microseconds: first)...EventTime(microseconds: last)
    }
    /// The schemas of the accepted lines.
    package var schemas: [String] { frame.schemas }

    /// Calls `body` with each accepted line.
    ///
    /// - Parameter body: Receives the index of the line's schema in ``schemas``.
    package func forEachLine(
        _ body: (_ schema: Int, _ isValidated: Bool, _ line: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        try frame.forEachLine { index, line in
            try body(frame.lines[index].schema, frame.lines[index].isValidated, line)
        }
    }

    /// The rejected lines with their exact bytes; nil after an erasure.
    package var rejected: [(rejection: Receipt.Rejection, bytes: [UInt8]?)] {
        frame.rejected.map { ($0.rejection, $0.bytes) }
    }
}
