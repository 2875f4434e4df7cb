#if Collector
    /// What the loaders found out about an install from the batches of all collectors.
    struct ForwardingVerdict: Sendable {
        /// Numbers to request.
        var missing: [ClosedRange<Int64>]
        /// Whether two devices use the install.
        var isForked: Bool
        /// The SHA-256 of the only valid secret; empty if any is.
        var secretHash: [UInt8]
    }

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
