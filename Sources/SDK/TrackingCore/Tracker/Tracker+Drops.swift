package import EventLog

extension Tracker {
    /// Counts and reports an event that an adapter could not create.
    package func drop(_ eventName: String, _ reason: DropReason) {
        pipeline.drop(eventName, reason, at: pipeline.now)
    }
}
