public import EventLog
internal import Foundation
internal import Primitives

/// An error or delay of the SDK, reported to the closure with which the environment was made.
///
/// Contains names, numbers and reasons, but never properties of events or user ids.
public enum TrackingDiagnostic: Sendable {
    /// An event was dropped. The drop is counted in the ledger.
    case dropped(eventName: String, reason: DropReason)
    /// More events of this name were dropped for the same reason since the last report. Reported while the log can't be
    /// opened.
    case droppedRepeatedly(eventName: String, reason: DropReason, count: Int)
    /// An event violates a limit of its schema. The next diagnostic reports its drop as
    /// ``/EventLog/DropReason/outOfLimits``.
    case outOfLimits(eventName: String, TrackingEventError)
    /// A property of an event cannot be encoded as JSON, such as NaN. The next diagnostic reports the event's drop as
    /// ``/EventLog/DropReason/encoding``.
    ///
    /// `path` is the path of the property from the event's `value`: `items[2].price`. It is empty if the whole value
    /// cannot be encoded. Keys of dictionaries are included, as in `prices.total`.
    case notEncodable(eventName: String, path: String, reason: String)
    /// The log could not be written or read. Events wait in memory, and the operation is retried.
    case log(any Error)
    /// ``Tracker/identify(_:)`` was called with an id that is empty, too long, or has control characters. A former user was signed out.
    case userRejected
    /// Device id or user could not be stored in the storage; they are in effect until the process ends. Also reported if the
    /// app's version could not be read or stored, see `TrackingLifeCycle`; that operation is retried.
    case storage(any Error)
    /// A sink will be retried later, for the given reason.
    case sinkDelayed(sink: String, reason: String)
    /// A sink accepts nothing until you change something, such as its credentials. Reported once.
    case sinkHalted(sink: String, reason: String)
    /// A sink rejected events permanently. They are counted in the ledger.
    case sinkRefused(sink: String, seqs: ClosedRange<Int64>, reason: String)
    /// A sink lost events and receives them again from this number on.
    case sinkRewound(sink: String, from: Int64, reason: String)
    /// Remote switches were not accepted, fetched or stored. The switches in effect stay in effect. Each reason is
    /// reported once until it changes.
    case switches(SwitchesError)
}

/// The reports to an app's closure.
enum Diagnostics {
    /// The threads that are in the app's closure.
    private static let reporting = Locked<Set<ObjectIdentifier>>([])

    /// Makes a closure that calls the app's, unless it is called from there: a report that sends an event, which is dropped
    /// and reported, would never end.
    static func reporting(
        _ report: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> @Sendable (TrackingDiagnostic) -> Void {
        { diagnostic in
            let thread = ObjectIdentifier(Thread.current)
            guard reporting.withLock({ $0.insert(thread).inserted }) else { return }
            defer { _ = reporting.withLock { $0.remove(thread) } }
            report(diagnostic)
        }
    }
}
