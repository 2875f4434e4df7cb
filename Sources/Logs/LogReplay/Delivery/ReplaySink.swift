package import EventLog

/// A destination of replayed events.
///
/// Each lane delivers its batches one by one; several lanes deliver at the same time.
package protocol ReplaySink: Sendable {
    /// Delivers a batch.
    ///
    /// - Throws: A `LayerError`, such as `LogFileError` or `EventLogError`, if the sink cannot accept any more
    ///   batches.
    func deliver(_ batch: ReplayBatch) async throws -> SinkAnswer

    /// Makes delivered events durable, as far as the sink controls this.
    ///
    /// - Returns: The offset at which a later run continues, in bytes; 0 for a sink without offsets.
    /// - Throws: See ``deliver(_:)``.
    func checkpoint() async throws -> Int64

    /// Completes the sink after all events were delivered.
    ///
    /// - Throws: See ``deliver(_:)``.
    func finish() async throws

    /// Ends the sink before all events were delivered.
    ///
    /// - Parameter isResumable: Whether a later run may continue from the last checkpoint.
    func abandon(isResumable: Bool) async
}

extension ReplaySink {
    package func checkpoint() async throws -> Int64 { 0 }
    package func finish() async throws {}
    package func abandon(isResumable: Bool) async {}
}

/// A sink's response to a batch.
package enum SinkAnswer: Sendable, Equatable {
    /// All events were accepted.
    case delivered(ReplayResult)
    /// All events were accepted except these, in order, which are permanently rejected.
    case judged([LineRefusal])
    /// Retry the batch, after this time if given.
    case retry(after: Duration?, SinkReason)
    /// Send smaller batches.
    case tooLarge(SinkReason)
    /// All events are permanently rejected.
    case refused(SinkReason)
    /// The sink cannot be reached.
    case unreachable(SinkReason)
}

/// An event of a batch that the sink permanently rejects.
package struct LineRefusal: Sendable, Equatable {
    /// The event's index in the batch.
    package let index: Int
    package let reason: SinkReason

    package init(index: Int, reason: SinkReason) {
        self.index = index
        self.reason = reason
    }
}

/// Why a sink did not accept a batch.
package struct SinkReason: Sendable, Equatable {
    /// The HTTP status; nil without a response.
    package let status: Int?
    /// A short text without content of the events.
    package let text: String

    package init(status: Int? = nil, _ text: String) {
        self.status = status
        self.text = text
    }
}

/// Accepts and discards everything.
package struct NullSink: ReplaySink {
    package init() {}

    package func deliver(_ batch: ReplayBatch) -> SinkAnswer { .delivered(ReplayResult(kept: batch.count)) }
}

extension ReplayResult {
    /// A result with events stored unchanged.
    package init(kept: Int) {
        self.init()
        self.kept = kept
    }
}
