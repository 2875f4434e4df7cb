package import EventLog

/// Where replayed events go.
///
/// Each lane hands over its batches one after the other; several lanes call at the same time.
package protocol ReplaySink: Sendable {
    /// Takes a batch.
    ///
    /// - Throws: A `LayerError`, such as `LogFileError` or `EventLogError`, if no batch can be taken any more.
    func deliver(_ batch: ReplayBatch) async throws -> SinkAnswer

    /// Makes what was delivered last over a power failure, as far as it is in this sink's hands.
    ///
    /// - Returns: Where a later run goes on writing, in bytes; 0 for a sink without a place.
    /// - Throws: As ``deliver(_:)``.
    func checkpoint() async throws -> Int64

    /// Ends well: all was delivered.
    ///
    /// - Throws: As ``deliver(_:)``.
    func finish() async throws

    /// Ends before all was delivered.
    ///
    /// - Parameter isResumable: Whether a later run goes on from the last checkpoint.
    func abandon(isResumable: Bool) async
}

extension ReplaySink {
    package func checkpoint() async throws -> Int64 { 0 }
    package func finish() async throws {}
    package func abandon(isResumable: Bool) async {}
}

/// What a sink says to a batch.
package enum SinkAnswer: Sendable, Equatable {
    /// It has all of it.
    case delivered(ReplayResult)
    /// It has all of it but these events, in their order, which it never takes.
    case judged([LineRefusal])
    /// Not now; after this time at the earliest if it says when.
    case retry(after: Duration?, SinkReason)
    /// Not so much at a time.
    case tooLarge(SinkReason)
    /// Never.
    case refused(SinkReason)
    /// There is nobody to ask.
    case unreachable(SinkReason)
}

/// An event of a batch that the sink never takes.
package struct LineRefusal: Sendable, Equatable {
    /// The event's place in the batch, from 0.
    package let index: Int
    package let reason: SinkReason

    package init(index: Int, reason: SinkReason) {
        self.index = index
        self.reason = reason
    }
}

/// Why a sink did not take a batch.
package struct SinkReason: Sendable, Equatable {
    /// The number of an HTTP status; nil if there was no answer.
    package let status: Int?
    /// In a few words, without any of the events' content.
    package let text: String

    package init(status: Int? = nil, _ text: String) {
        self.status = status
        self.text = text
    }
}

/// Takes everything and keeps nothing.
package struct NullSink: ReplaySink {
    package init() {}

    package func deliver(_ batch: ReplayBatch) -> SinkAnswer { .delivered(ReplayResult(kept: batch.count)) }
}

extension ReplayResult {
    /// So many events, kept as they are.
    package init(kept: Int) {
        self.init()
        self.kept = kept
    }
}
