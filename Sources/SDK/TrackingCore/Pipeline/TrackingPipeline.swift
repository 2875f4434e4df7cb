internal import EventLog
internal import EventModel
internal import Primitives

/// Turns events into containers and appends them to the log. An environment has one pipeline.
///
/// A `send` first checks and encodes the event without a lock, since an event's own `encode(to:)` may take long, or
/// send. Then, under the locks of the dispatcher and the log, it chooses session, id and number, and assembles the line
/// from encoded parts in the log's own memory. The call does no I/O.
///
/// The order of locks: dispatcher, log, the state of the sender.
final class TrackingPipeline: Sendable {
    /// The values that the next event shares with the previous one, as long as nothing changes.
    struct Current {
        /// The generation of the log and the count of sender changes for which it was looked up.
        var generation: UInt64
        var senderChanges: Int
        /// What the person's consent restricts; see ``SenderState/restrictions(_:)``.
        var restrictions = 0
        /// The context of the last line. nil before the first event, and after one of a denied purpose.
        var envelopeContext: EnvelopeContext?
        /// What the consent restricts of the person of the last event that was not stored because of it.
        var lastRestrictions = 0
        /// The context of the last event that had waited for an answer.
        var waited: EnvelopeContext?
        /// The time of the last event. ``SenderState/session`` receives it when it is needed there.
        var last: EventTime
        /// When the session has its maximum length.
        var sessionExpiry = EventTime(microseconds: 0)
        /// The log's install, and the log's generation when its id was read.
        var install: InstallEnvelope
        var installGeneration: UInt64
        /// Whether the log may have continued as a new install since the install id was read.
        var isInstallStale = false
    }

    let log: LogReference
    let sender: Sender
    let users: UserCache
    let clock: any TrackingClock
    let ids: any TrackingIDs
    let context: TrackingContext?
    private let rate: SendingRate
    let flusher: EnvironmentFlusher
    /// The remote switches in effect; nil usually. An event needs one load as long as there are none.
    let activeSwitches = Atomic<Unmanaged<ActiveSwitches>?>(nil)
    /// All switches that were in effect, released with this object.
    let keptSwitches = Locked<[ActiveSwitches]>([])
    /// Keeps the remote switches up to date; nil without them.
    let switchesUpdater = AtomicLazyReference<SwitchesUpdater>()
    /// Whether the app is active.
    let presence = AppPresence()
    var diagnostics: @Sendable (TrackingDiagnostic) -> Void { sender.diagnostics }
    private let kinds: EventKinds
    /// Not locked, so that an event needs only the locks of the dispatcher and the log. Only `append` accesses
    /// it, under the dispatcher's lock.
    nonisolated(unsafe) let current: UnsafeMutablePointer<Current>

    init(_ setup: TrackerSetup, log: LogReference, sender: Sender, flusher: EnvironmentFlusher) {
        self.log = log
        self.sender = sender
        self.flusher = flusher
        clock = setup.clock
        ids = setup.ids
        context = setup.context
        users = UserCache(maximumCount: setup.cachedUsers)
        rate = SendingRate(setup.sendingLimit)
        kinds = EventKinds(context: setup.context, unplanned: setup.unplanned, bit: sender.bit)
        current = .allocate(capacity: 1)
        current.initialize(
            to: Current(
                generation: 0, senderChanges: -1, envelopeContext: nil, last: EventTime(microseconds: 0),
                install: InstallEnvelope(installID: "", context: nil), installGeneration: 0))
    }

    deinit {
        current.deinitialize(count: 1)
        current.deallocate()
    }

    /// Performs an operation on the log itself.
    @inline(__always)
    func withLog<Result>(_ body: (any EventStore) -> Result) -> Result { log.with(body) }

    /// Changes whenever a consent, the identity or the install changes.
    @inline(__always)
    var logGeneration: UInt64 { withLog { $0.consentGeneration } }

    var now: EventTime { clock.now }

    /// The reason to drop an event that consent allows, before it is encoded; nil if there is none.
    func dropReason<Event: TrackingEvent>(of event: Event.Type, at time: EventTime) -> DropReason? {
        if activeSwitches.load(ordering: .relaxed) != nil,
            let reason = dropReason(ofSwitchedEvent: event.name, at: time)
        {
            return reason
        }
        return rate.allows(at: time) ? nil : .runaway
    }

    func kind<Event: TrackingEvent>(of event: Event.Type) -> Unmanaged<EventKind> { kinds.kind(of: event) }

    func wasSent(_ kind: EventKind) { flusher.eventWasSent(isBackground: kind.isBackground) }

    func drop(_ name: String, _ reason: DropReason, at time: EventTime) { sender.drop(name, reason, at: time) }

    func report(_ error: TrackingEventError, of name: String) { diagnostics(.outOfLimits(eventName: name, error)) }

    func report(_ failure: EncodingFailure, of name: String) {
        diagnostics(.notEncodable(eventName: name, path: failure.path, reason: failure.reason))
    }

    var durability: Durability { withLog { $0.durability } }
}
