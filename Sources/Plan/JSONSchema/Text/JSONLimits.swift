/// What a reader of JSON takes.
public struct JSONLimits: Hashable, Sendable {
    /// How many bytes a text may have: 1 GiB unless set; never more than 2 GiB − 1.
    public var maximumBytes: Int {
        didSet { maximumBytes = Self.bytes(maximumBytes) }
    }
    /// How deep arrays and objects may be nested: 128 unless set; never more than 1,024, which takes a stack of some MiB.
    /// On a thread with a small stack it ends where the stack would.
    public var maximumDepth: Int {
        didSet { maximumDepth = Self.depth(maximumDepth) }
    }
    /// Whether only what every reader understands alike is taken (I-JSON, RFC 7493): no name twice in an object, no
    /// integer beyond ±(2^53 − 1), no number past the range of a double.
    public var isInteroperable: Bool

    /// Makes limits.
    public init(maximumBytes: Int = 1 << 30, maximumDepth: Int = 128, isInteroperable: Bool = false) {
        self.maximumBytes = Self.bytes(maximumBytes)
        self.maximumDepth = Self.depth(maximumDepth)
        self.isInteroperable = isInteroperable
    }

    private static func bytes(_ count: Int) -> Int { min(max(0, count), Int(Int32.max)) }
    private static func depth(_ depth: Int) -> Int { min(max(0, depth), 1024) }

    /// RFC 8259, any text.
    public static let standard = JSONLimits()
    /// RFC 7493, as lines of a log keep it.
    public static let interoperable = JSONLimits(isInteroperable: true)
}
