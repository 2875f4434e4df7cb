/// When a sink's file is finished and the next one begun.
public struct FileRotation: Hashable, Sendable {
    /// Before it would grow past so many bytes; nil never.
    public var maximumBytes: Int64?
    /// When its first event is so much older than the next; nil never.
    public var maximumAge: Duration?

    /// Makes a rotation.
    public init(maximumBytes: Int64? = nil, maximumAge: Duration? = nil) {
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
    }

    /// One file for ever.
    public static let never = FileRotation()

    /// At 64 MiB, and every day.
    public static let standard = FileRotation(maximumBytes: 64 << 20, maximumAge: .seconds(86_400))
}
