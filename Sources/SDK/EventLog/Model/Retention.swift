/// How much the log keeps. Oldest events go first.
///
/// The limits on age, count and bytes remove only what every consumer has acknowledged. The hard cap removes
/// more if it must; each event lost that way is counted in the ledger as ``DropReason/evicted``.
public struct Retention: Hashable, Sendable {
    /// Delivered events older than this go; nil keeps them.
    public var maximumAge: Duration?
    /// At most so many events, as far as they are delivered; nil keeps them.
    public var maximumCount: Int64?
    /// At most so many bytes of lines, as far as they are delivered; nil keeps them.
    public var maximumBytes: Int64?
    /// At most so many bytes of lines, delivered or not; nil sets no cap.
    public var hardMaximumBytes: Int64?

    /// Makes a retention of its limits.
    public init(
        maximumAge: Duration? = nil, maximumCount: Int64? = nil, maximumBytes: Int64? = nil,
        hardMaximumBytes: Int64? = nil
    ) {
        self.maximumAge = maximumAge
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
        self.hardMaximumBytes = hardMaximumBytes
    }

    /// 30 days and 32 MiB of delivered events, 256 MiB in all.
    public static let standard = Retention(
        maximumAge: .seconds(30 * 86_400), maximumBytes: 32 << 20, hardMaximumBytes: 256 << 20
    )

    /// Keeps everything.
    public static let keepAll = Retention()
}
