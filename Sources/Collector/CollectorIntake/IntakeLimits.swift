#if Collector
    /// How much a request may hold. All limits are for decompressed bytes, so that compression changes no verdict.
    package struct IntakeLimits: Sendable {
        /// The longest body, in bytes: one Kafka or NATS message holds it with its header.
        package var maximumBytes = 900_000
        /// The most events in a request.
        package var maximumEvents = 2_500
        /// How many times longer than its compressed form a body may be. Events compress to about a sixth; gzip reaches 1,032.
        package var maximumRatio = 100
        /// The ratio is looked at from this many decompressed bytes on.
        package var ratioFloor = 64 << 10

        package init() {}
    }
#endif
