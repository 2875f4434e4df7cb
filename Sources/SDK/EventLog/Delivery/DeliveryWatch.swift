internal import Primitives

/// The connection between a sink and the flusher while a batch is delivered: consent in one direction, progress in the
/// other. Thread-safe.
public final class DeliveryWatch: Sendable {
    private let isAllowed: @Sendable () -> Bool
    private let progress = Locked(UploadProgress.unknown)

    /// How much of the batch has arrived.
    public enum UploadProgress: Hashable, Sendable {
        /// The sink does not know.
        case unknown
        /// Nothing was sent yet.
        case waiting
        /// A share of the batch, 0 to 1.
        case arrived(Double)
    }

    /// Makes a watch.
    ///
    /// - Parameter isAllowed: Whether the people of the events still agree. Does no I/O.
    public init(_ isAllowed: @escaping @Sendable () -> Bool) { self.isAllowed = isAllowed }

    /// Whether the people of the batch's events still agree to its delivery. A sink that sends over a network asks
    /// immediately before each request, and during a long upload at least every 100 ms. After a false, it sends nothing more
    /// and returns ``DeliveryResult/void(reason:)``: the log seals the other events again. Does no I/O.
    public var mayContinue: Bool { isAllowed() }

    /// How much of the batch has arrived, as far as the sink has noted it.
    public var upload: UploadProgress { progress.withLock { $0 } }

    /// Records how much of the batch has arrived, so that the next batch is shorter if the deadline ends this one during the
    /// upload.
    public func note(_ upload: UploadProgress) { progress.withLock { $0 = upload } }
}
