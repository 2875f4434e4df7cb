internal import DeliveryProtocol
internal import EventLog
internal import EventModel
internal import Primitives

/// The flusher of a tracker. A log has one delivery engine, so the flusher is set once the log is open.
final class EnvironmentFlusher: Sendable {
    /// Stored once, and released with this object. A loaded reference is valid as long as this object, without a
    /// retain.
    private let flusher = Atomic<Unmanaged<EventFlusher>?>(nil)

    init(_ flusher: EventFlusher?) { if let flusher { set(flusher) } }

    deinit { flusher.load(ordering: .acquiring)?.release() }

    func set(_ flusher: EventFlusher) {
        let kept = Unmanaged.passRetained(flusher)
        let (isFirst, _) = self.flusher.compareExchange(expected: nil, desired: kept, ordering: .acquiringAndReleasing)
        if !isFirst { kept.release() }
    }

    @inline(__always)
    func eventWasSent(isBackground: Bool) {
        guard let flusher = flusher.load(ordering: .acquiring) else { return }
        flusher._withUnsafeGuaranteedRef { $0.eventWasSent(isBackground: isBackground) }
    }

    /// Replaces values of the flush policy; see ``EventFlusher/use(_:until:)``. Does nothing before ``set(_:)``.
    func use(_ flush: SwitchesDocument.Flush?, until end: EventTime?) {
        flusher.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.use(flush, until: end) }
    }

    /// Erases a user's events from the log, and from the sinks if there is a flusher.
    func erase(
        _ user: String, device: String?, from log: any EventStore
    ) async throws -> (ErasureResult, ErasureRequest) {
        guard let flusher = flusher.load(ordering: .acquiring)?.takeUnretainedValue() else {
            return (ErasureResult(sinks: [:]), try await log.erase(user, device: device, for: []))
        }
        return try await flusher.erase(user, device: device)
    }

    func resumeErasures() { flusher.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.resumeErasures() } }

    func flush() async { await flusher.load(ordering: .acquiring)?.takeUnretainedValue().flush() }
}
