package import EventLog
internal import EventModel

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
