internal import EventLog
internal import EventModel
internal import Primitives

/// The log of a tracker, once it is open. Until then, a log that accepts no event.
final class LogReference: Sendable {
    /// A log behind a single pointer.
    private final class Log: Sendable {
        let log: any EventStore
        init(_ log: any EventStore) { self.log = log }
    }

    private let first: Log
    /// Replaced at most once, and not released before this object, so a loaded reference needs no retain.
    private let latest: Atomic<Unmanaged<Log>>

    init(_ log: (any EventStore)?) {
        first = Log(log ?? ClosedEventStore(.notOpen))
        latest = Atomic(Unmanaged.passRetained(first))
    }

    deinit { latest.load(ordering: .acquiring).release() }

    func set(_ log: any EventStore) {
        latest.exchange(Unmanaged.passRetained(Log(log)), ordering: .acquiringAndReleasing).release()  // `first` stays
    }

    @inline(__always)
    func with<Result>(_ body: (any EventStore) -> Result) -> Result {
        latest.load(ordering: .acquiring)._withUnsafeGuaranteedRef { body($0.log) }
    }

    var current: any EventStore { with { $0 } }
}

/// A log that accepts no event.
final class ClosedEventStore: ForwardingEventStore {
    /// Made when it is used, because each start of a tracker makes a closed log.
    private static let empty = InMemoryEventStore(installID: "")
    var next: any EventStore { Self.empty }
    private let reason: DropReason

    init(_ reason: DropReason) { self.reason = reason }

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> { .failure(EventDropped(reason)) }

    func recordDrop(_ reason: DropReason, at time: EventTime?) {}
}
