public import EventLog

/// Something the SDK could not do, told to the closure that the environment was made with.
///
/// Holds names, numbers and reasons, never a property of an event and no user's id.
public enum TrackingDiagnostic: Sendable {
    /// An event was not taken; the drop is counted in the ledger.
    case dropped(eventName: String, reason: DropReason)
    /// An event is past a limit of its schema. Its drop, as ``DropReason/encoding``, is told next.
    case outOfLimits(eventName: String, TrackingEventError)
    /// A property of an event cannot be encoded as JSON: NaN, for instance. The event's drop, as ``DropReason/encoding``, is
    /// reported next.
    ///
    /// `path` leads to the property from the event's `value`: `items[2].price`. It is empty if the whole value cannot be
    /// encoded. It has the keys of dictionaries, as in `prices.total`.
    case notEncodable(eventName: String, path: String, reason: String)
    /// The log could not be written or read. Events wait in memory and are tried again.
    case log(any Error)
    /// Device id, user or opt-out could not be stored; they hold until the process ends. Or the app's version could not be
    /// read or stored, see `TrackingLifeCycle`; it is tried again.
    case storage(any Error)
    /// A sink asked to try later, with its reason.
    case sinkDelayed(sink: String, reason: String)
    /// A sink takes nothing until somebody changes something: its credentials, for instance. Told once.
    case sinkHalted(sink: String, reason: String)
    /// A sink refused events for good; they are counted in the ledger.
    case sinkRefused(sink: String, seqs: ClosedRange<Int64>, reason: String)
    /// A sink lost what it had, and gets it again from this number on.
    case sinkRewound(sink: String, from: Int64, reason: String)
}
