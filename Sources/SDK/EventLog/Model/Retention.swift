/// How much a log keeps. The oldest events are removed first.
///
/// The limits on age, count and bytes remove only events that every consumer has acknowledged. The hard limit also
/// removes undelivered events, and counts each in the ledger as ``DropReason/evicted``.
public struct Retention: Hashable, Sendable {
    /// How long to keep delivered events; nil for no limit.
    public var maximumAge: Duration?
    /// The maximum number of delivered events to keep; nil for no limit.
    public var maximumCount: Int64?
    /// The maximum bytes of delivered lines to keep; nil for no limit.
    public var maximumBytes: Int64?
    /// The maximum bytes of lines to keep, delivered or not; nil for no limit.
    public var hardMaximumBytes: Int64?

    /// Makes a retention.
    public init(
        maximumAge: Duration? = nil, maximumCount: Int64? = nil, maximumBytes: Int64? = nil,
        hardMaximumBytes: Int64? = nil
    ) {
        self.maximumAge = maximumAge
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
        self.hardMaximumBytes = hardMaximumBytes
    }

    /// Keeps delivered events for 30 days and up to 32 MiB, and at most 256 MiB in all.
    public static let standard = Retention(
        maximumAge: .seconds(30 * 86_400), maximumBytes: 32 << 20, hardMaximumBytes: 256 << 20
    )

    /// Keeps all events.
    public static let keepAll = Retention()
}
