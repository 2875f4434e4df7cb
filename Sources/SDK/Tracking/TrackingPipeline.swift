internal import EventLog
internal import EventModel
internal import Primitives
internal import Synchronization

/// Turns events into containers and appends them to the log. One for an environment.
///
/// The order of work in a `send`: checks and encoding on the caller's time, without a lock (an event's own
/// `encode(to:)` may take long, or send); then, under the dispatcher's and the log's lock, session, id and number
/// are drawn and the line is put together from encoded parts, in the log's own memory. No I/O happens in the call.
///
/// The order of locks: dispatcher, log, `place`.
final class TrackingPipeline: Sendable {
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
    /// How long the surroundings of the next line will be, as far as that is known before it has its place. If it
    /// is not enough, the log is asked a second time.
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
        expectSurroundings(of: userID)
    }

    var now: EventTime { clock.now }

    /// Why an event is not even encoded; nil if it is.
    func refusal(at time: EventTime) -> DropReason? {
        if isOptedOut { return .optedOut }
        return rate.allows(at: time) ? nil : .runaway
    }

    func kind<Event: TrackingEvent>(of event: Event.Type) -> Unmanaged<EventKind> { kinds.kind(of: event) }

    /// Draws the event's place and appends it. Runs under the dispatcher's lock.
    ///
    /// - Parameters:
    ///   - value: The event's encoded value; empty if it carries none.
    ///   - container: Where the event's container comes to stand.
    /// - Returns: nil, or why the event was not taken: then there is no container.
    func append(
        _ event: any TrackingEvent, _ kind: EventKind, at time: EventTime, value: UnsafeRawBufferPointer,
        to container: UnsafeMutablePointer<TrackingContainer>
    ) -> DropReason? {
        let limit = TrackingContainer.maximumLineLength
        guard value.count <= limit else { return .tooLarge }
        let installID = log.installID
        while true {
            var isMade = false
            var isRoomShort = false
            var refusal: DropReason?
            let room = min(
                limit,
                ContainerLine.sufficientLength(
                    surroundings: surroundingsLength.load(ordering: .relaxed), kind: kind, value: value.count))
            let result = log.append(lineCapacity: room) { seq, line in
                // The user may have opted out while the event was being encoded.
                guard !isOptedOut else {
                    refusal = .optedOut
                    return nil
                }
                let surroundings = surroundings(at: time, installID: installID)
                let needed = ContainerLine.sufficientLength(
                    surroundings: surroundings.length, kind: kind, value: value.count)
                guard needed <= room || room == limit else {
                    isRoomShort = true
                    return nil
                }
                let id = ids.eventID(at: time)
                guard
                    let length = ContainerLine.write(
                        id: id, seq: seq, time: time, surroundings: surroundings, kind: kind, value: value, to: line,
                        limit: limit)
                else {
                    refusal = .tooLarge
                    return nil
                }
                if isMade { container.deinitialize(count: 1) }
                container.initialize(
                    to: TrackingContainer(id: id, seq: seq, time: time, surroundings: surroundings, event: event))
                isMade = true
                return EventStamp(id: id, time: time, name: kind.name, lineLength: length)
            }
            switch result {
            case .success: return isMade ? nil : .closed
            case .failure(let drop):
                if isMade { container.deinitialize(count: 1) }
                guard isRoomShort else { return drop.reason ?? refusal ?? .closed }
            // The surroundings have become longer; by now it is known how long.
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
            surroundingsLength.store(made.length, ordering: .relaxed)
            return made
        }
    }

    private func expectSurroundings(of userID: String) {
        let anySession = String(repeating: "0", count: 36)
        let expected = ContainerSurroundings(
            installID: log.installID, sessionID: anySession, userID: userID, context: context)
        surroundingsLength.store(expected.length, ordering: .relaxed)
    }

    func wasSent(_ kind: EventKind) { flusher.eventWasSent(isBackground: kind.isBackground) }

    func drop(_ name: String, _ reason: DropReason) {
        log.recordDrop(reason)
        diagnostics(.dropped(eventName: name, reason: reason))
    }

    func report(_ error: TrackingEventError, of name: String) { diagnostics(.outOfLimits(eventName: name, error)) }

    func setUser(_ userID: String) {
        place.withLock { place in
            place.userID = userID
            place.surroundings = nil
        }
        expectSurroundings(of: userID)
    }

    /// Sets the user and ends the session; gives the session that ended, if there was one.
    func startOver(as userID: String) -> String? {
        defer { expectSurroundings(of: userID) }
        return place.withLock { place in
            place.userID = userID
            place.surroundings = nil
            return place.session.end()
        }
    }

    var durability: Durability { log.durability }

    var isOptedOut: Bool { optedOut.load(ordering: .acquiring) }

    func setOptedOut(_ isOptedOut: Bool) { optedOut.store(isOptedOut, ordering: .releasing) }
}
