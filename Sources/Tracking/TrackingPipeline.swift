internal import EventLog
internal import Locking
internal import Synchronization

/// Turns events into containers and appends them to the log. One for an environment.
///
/// The order of work in a `send`: checks and encoding on the caller's time, without a lock (an event's own
/// `encode(to:)` may take long, or send); then, under the dispatcher's and the log's lock, session, id and number
/// are drawn and the line is put together from encoded parts, in the log's own memory. No I/O happens in the call.
///
/// The order of locks: dispatcher, log, `place`.
final class TrackingPipeline: Sendable {
    /// An event that is ready but for its place in the order.
    struct Prepared {
        let event: any TrackingEvent
        /// Lives as long as the pipeline.
        unowned(unsafe) let kind: EventKind
        let time: EventTime
        /// The event's encoded value; empty if it carries none.
        let value: EncodingScratch
    }

    /// What decides about the surroundings of the next event.
    private struct Place {
        var session: SessionRule
        var userID: String
        /// Those of the event before, unless something has changed since.
        var surroundings: ContainerSurroundings?
    }

    private let log: any EventStore
    private let clock: any TrackingClock
    private let ids: any TrackingIDs
    private let context: TrackingContext?
    private let rate: SendingRate
    private let flusher: EventFlusher
    private let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let kinds: EventKinds
    private let optedOut: Atomic<Bool>
    private let place: Locked<Place>
    /// How long the surroundings of a line are, as far as is known before it has its place.
    private let surroundingsLength = Atomic(0)

    init(
        log: any EventStore, clock: any TrackingClock, ids: any TrackingIDs, context: TrackingContext?,
        limit: SendingLimit?, session: SessionRule, userID: String, isOptedOut: Bool, flusher: EventFlusher,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.log = log
        self.clock = clock
        self.ids = ids
        self.context = context
        self.flusher = flusher
        self.diagnostics = diagnostics
        rate = SendingRate(limit)
        kinds = EventKinds(context: context)
        optedOut = Atomic(isOptedOut)
        place = Locked(Place(session: session, userID: userID))
    }

    var now: EventTime { clock.now }

    /// Why an event is not even encoded; nil if it is.
    func refusal(at time: EventTime) -> DropReason? {
        if isOptedOut { return .optedOut }
        return rate.allows(at: time) ? nil : .runaway
    }

    func kind<Event: TrackingEvent>(of event: Event.Type) -> Unmanaged<EventKind> { kinds.kind(of: event) }

    /// Draws the event's place and appends it. Runs under the dispatcher's lock.
    func append(_ prepared: Prepared) -> Result<TrackingContainer, EventDropped> {
        prepared.value.withBytes { append(prepared, value: $0) }
    }

    private func append(
        _ prepared: Prepared, value: UnsafeRawBufferPointer
    ) -> Result<TrackingContainer, EventDropped> {
        let limit = TrackingContainer.maximumLineLength
        guard value.count <= limit else { return .failure(EventDropped(.tooLarge)) }
        let (kind, time, installID) = (prepared.kind, prepared.time, log.installID)
        let event = prepared.event
        while true {
            var made: TrackingContainer?
            var refusal = DropReason.closed
            let known = surroundingsLength.load(ordering: .relaxed)
            let room = min(limit, ContainerLine.sufficientLength(surroundings: known, kind: kind, value: value.count))
            var needed = 0
            let result = log.append(lineCapacity: room) { seq, line in
                // The user may have opted out while the event was being encoded.
                guard !isOptedOut else {
                    refusal = .optedOut
                    return nil
                }
                let surroundings = surroundings(at: time, installID: installID)
                needed = ContainerLine.sufficientLength(
                    surroundings: surroundings.length, kind: kind, value: value.count)
                guard needed <= line.count || room == limit else {
                    surroundingsLength.store(surroundings.length, ordering: .relaxed)
                    return nil
                }
                let id = ids.eventID(at: time)
                let length = ContainerLine.write(
                    id: id, seq: seq, time: time, surroundings: surroundings, kind: kind, value: value, to: line,
                    limit: limit)
                guard let length else {
                    refusal = .tooLarge
                    return nil
                }
                made = TrackingContainer(id: id, seq: seq, time: time, surroundings: surroundings, event: event)
                return EventStamp(id: id, time: time, name: kind.name, lineLength: length)
            }
            switch result {
            case .success:
                guard let made else { return .failure(EventDropped(.closed)) }
                return .success(made)
            case .failure(let drop):
                if let reason = drop.reason { return .failure(EventDropped(reason)) }
                if needed > room && room < limit && refusal == .closed { continue }
                return .failure(EventDropped(refusal))
            }
        }
    }

    /// The surroundings of an event at a time: those of the event before, as a rule.
    private func surroundings(at time: EventTime, installID: String) -> ContainerSurroundings {
        place.withLock { place in
            if let last = place.surroundings, last.installID == installID, place.session.holds(at: time) {
                place.session.passed(time)
                return last
            }
            let sessionID = place.session.session(at: time) { ids.uuid() }
            let made = ContainerSurroundings(
                installID: installID, sessionID: sessionID, userID: place.userID, context: context)
            place.surroundings = made
            return made
        }
    }

    func wasSent(_ kind: EventKind) { flusher.eventWasSent(isBackground: kind.isBackground) }

    func drop(_ name: String, _ reason: DropReason) {
        log.recordDrop(reason)
        diagnostics(.dropped(eventName: name, reason: reason))
    }

    func setUser(_ userID: String) {
        place.withLock { place in
            place.userID = userID
            place.surroundings = nil
        }
    }

    /// Sets the user and ends the session; gives the session that ended, if there was one.
    func startOver(as userID: String) -> String? {
        place.withLock { place in
            place.userID = userID
            place.surroundings = nil
            return place.session.end()
        }
    }

    var durability: Durability { log.durability }

    var isOptedOut: Bool { optedOut.load(ordering: .acquiring) }

    func setOptedOut(_ isOptedOut: Bool) { optedOut.store(isOptedOut, ordering: .releasing) }
}
