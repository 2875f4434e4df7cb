/// The error for an event that a log rejected.
public struct EventDropped: Error, Hashable, Sendable {
    /// The reason; nil if the caller's closure returned nil.
    public let reason: DropReason?

    /// Makes an error.
    public init(_ reason: DropReason?) { self.reason = reason }
}
