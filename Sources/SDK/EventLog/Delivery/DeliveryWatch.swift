internal import Primitives

/// The connection between a sink and the flusher while a batch is delivered: consent in one direction, progress in the other. Thread-safe.
public final class DeliveryWatch: Sendable {
    private let isAllowed: @Sendable () -> Bool
    private let share = Locked<Double?>(nil)

    /// Makes a watch.
    ///
    /// - Parameter isAllowed: Whether the people of the events still agree. Does no I/O.
    public init(_ isAllowed: @escaping @Sendable () -> Bool) { self.isAllowed = isAllowed }

    /// Whether the people of the batch's events still agree to its delivery. A sink that sends over a network asks
    /// immediately before each request, and during a long upload at least every 100 ms. After a false, it sends nothing more
    /// and returns ``DeliveryResult/void(reason:)``: the log seals the other events again. Does no I/O.
    public var mayContinue: Bool { isAllowed() }

    /// The share of the batch that has arrived, 0 to 1; nil if the sink has not noted it.
    public var acknowledgedShare: Double? { share.withLock { $0 } }

    /// Records which share of the batch has arrived, so that the next batch is shorter if the deadline ends this one.
    public func note(acknowledgedShare: Double) { share.withLock { $0 = min(1, max(0, acknowledgedShare)) } }
}
