#if Collector
    /// How far a forwarder is.
    struct ForwardingState: Sendable {
        /// Batches up to this receipt are in the stream.
        var receipt: Int64 = 0
        /// Events and messages that were published since the start.
        var events: Int64 = 0
        var messages: Int64 = 0
        /// Attempts that failed since the start.
        var failures: Int64 = 0
        /// Why nothing is forwarded at the moment; nil if it is.
        var problem: String?
    }
#endif
