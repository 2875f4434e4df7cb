internal import EventLog
internal import JSONLines
internal import Locking

/// Turns events into containers and appends them to the log. One for an environment.
///
/// The order of work in a `send`: checks and encoding on the caller's time, without a lock (an event's own
/// `encode(to:)` may take long, or send); then, under the dispatcher's and the log's lock, session, id and number
/// are drawn and the line is put together from encoded parts. No I/O happens in the call.
final class TrackingPipeline: Sendable {
    /// An event that is ready but for its place in the order.
    struct Prepared {
        let time: EventTime
        let eventObject: [UInt8]
    }

    private struct State {
        var session: SessionRule
        var rate = SendingRate()
        var userID: String
        var isOptedOut: Bool
    }

    private let log: any EventStore
    private let clock: any TrackingClock
    private let ids: any TrackingIDs
    private let context: TrackingContext?
    private let limit: SendingLimit?
    private let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let onSent: @Sendable (TrackingContainer) -> Void
    private let state: Locked<State>

    init(
        log: any EventStore, clock: any TrackingClock, ids: any TrackingIDs, context: TrackingContext?,
        limit: SendingLimit?, session: SessionRule, userID: String, isOptedOut: Bool,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void,
        onSent: @escaping @Sendable (TrackingContainer) -> Void
    ) {
        self.log = log
        self.clock = clock
        self.ids = ids
        self.context = context
        self.limit = limit
        self.diagnostics = diagnostics
        self.onSent = onSent
        state = Locked(State(session: session, userID: userID, isOptedOut: isOptedOut))
    }

    func prepare<Event: TrackingEvent>(_ event: Event) -> Result<Prepared, EventDropped> {
        let time = clock.now
        let refusal: DropReason? = state.withLock { state in
            if state.isOptedOut { return .optedOut }
            return state.rate.allows(limit, at: time) ? nil : .runaway
        }
        if let refusal { return .failure(EventDropped(refusal)) }
        guard EventName.isValid(Event.name), Event.schemaVersion.model > 0, Event.schemaVersion.revision >= 0,
            Event.schemaVersion.addition >= 0
        else { return .failure(EventDropped(.invalidName)) }
        // Any error of an event's own encoding is the same counted drop; its text might hold property values.
        guard let object = try? TrackingContainer.eventObject(event) else {
            return .failure(EventDropped(.encoding))
        }
        guard object.count <= TrackingContainer.maximumLineLength else { return .failure(EventDropped(.tooLarge)) }
        return .success(Prepared(time: time, eventObject: object))
    }

    /// Draws the event's place and appends it. Runs under the dispatcher's lock.
    func append<Event: TrackingEvent>(_ event: Event, _ prepared: Prepared) -> Result<TrackingContainer, EventDropped> {
        let installID = log.installID
        var made: TrackingContainer?
        // The user may have opted out while the event was being encoded.
        if isOptedOut { return .failure(EventDropped(.optedOut)) }
        let result = log.append { seq in
            let (sessionID, userID) = state.withLock { state in
                (state.session.session(at: prepared.time) { ids.uuid() }, state.userID)
            }
            let container = TrackingContainer(
                id: ids.eventID(at: prepared.time), installID: installID, seq: seq, sessionID: sessionID,
                userID: userID, time: prepared.time, context: context, event: event)
            var json = JSONWriter(capacity: prepared.eventObject.count + 384)
            container.writeMembers(to: &json, event: prepared.eventObject)
            guard json.count <= TrackingContainer.maximumLineLength else { return nil }
            made = container
            return EventRecord(
                seq: seq, id: container.id, time: prepared.time, name: Event.name, line: json.bytes)
        }
        switch result {
        case .success:
            guard let made else { return .failure(EventDropped(.closed)) }
            return .success(made)
        case .failure(let drop): return .failure(EventDropped(drop.reason ?? .tooLarge))
        }
    }

    func wasSent(_ container: TrackingContainer) { onSent(container) }

    func drop<Event: TrackingEvent>(_ event: Event, _ reason: DropReason?) {
        let reason = reason ?? .encoding
        log.recordDrop(reason)
        diagnostics(.dropped(eventName: Event.name, reason: reason))
    }

    func setUser(_ userID: String) { state.withLock { $0.userID = userID } }

    /// Sets the user and ends the session; gives the session that ended, if there was one.
    func startOver(as userID: String) -> String? {
        state.withLock { state in
            state.userID = userID
            return state.session.end()
        }
    }

    var durability: Durability { log.durability }

    var isOptedOut: Bool { state.withLock { $0.isOptedOut } }

    func setOptedOut(_ isOptedOut: Bool) { state.withLock { $0.isOptedOut = isOptedOut } }
}
