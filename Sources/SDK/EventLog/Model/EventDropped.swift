/// Why a log did not take an event.
public struct EventDropped: Error, Hashable, Sendable {
    /// The reason; nil if the caller's closure gave nil.
    public let reason: DropReason?

    /// Makes one.
    public init(_ reason: DropReason?) { self.reason = reason }
}
