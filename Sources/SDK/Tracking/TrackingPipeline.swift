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
    /// is not enough, the log is asked again.
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
        guard value.count <= TrackingContainer.maximumLineLength else { return .tooLarge }
        let expected = room(for: kind, value, surroundings: surroundingsLength.load(ordering: .relaxed))
        var outcome = attempt(event, kind, at: time, value: value, room: expected, to: container)
        // A second attempt is enough unless another thread sets a longer user in between. Each one asks for more, and
        // what the longest line needs is always enough.
        while case .needsRoom(let needed) = outcome {
            outcome = attempt(event, kind, at: time, value: value, room: needed, to: container)
        }
        guard case .dropped(let reason) = outcome else { return nil }
        return reason
    }

    /// What an attempt to append has come to.
    private enum Outcome {
        case appended
        case dropped(DropReason)
        /// The surroundings are longer than was expected; so many bytes are enough for the line as it is now.
        case needsRoom(Int)
    }

    /// How many bytes to ask the log for.
    private func room(for kind: EventKind, _ value: UnsafeRawBufferPointer, surroundings: Int) -> Int {
        min(
            TrackingContainer.maximumLineLength,
            ContainerLine.sufficientLength(surroundings: surroundings, kind: kind, value: value.count))
    }

    /// Asks the log once, for a line of at most `room` bytes.
    private func attempt(
        _ event: any TrackingEvent, _ kind: EventKind, at time: EventTime, value: UnsafeRawBufferPointer, room: Int,
        to container: UnsafeMutablePointer<TrackingContainer>
    ) -> Outcome {
        let installID = log.installID
        var outcome = Outcome.dropped(.closed)  // unless the log asks for the line
        let result = log.append(lineCapacity: room) { seq, line in
            // A log may ask a second time, for another number.
            if case .appended = outcome { container.deinitialize(count: 1) }
            let stamp: EventStamp?
            (outcome, stamp) = fill(
                event, kind, at: time, value: value, seq: seq, installID: installID, in: line, room: room,
                to: container)
            return stamp
        }
        switch (result, outcome) {
        case (.success, .appended): return outcome
        case (.success, _): return .dropped(.closed)
        case (.failure, .needsRoom): return outcome
        case (.failure(let drop), .dropped(let reason)): return .dropped(drop.reason ?? reason)
        case (.failure(let drop), .appended):
            container.deinitialize(count: 1)
            return .dropped(drop.reason ?? .closed)
        }
    }

    /// Draws session and id, and writes the line and the container. Runs under the log's lock.
    @inline(__always)
    private func fill(
        _ event: any TrackingEvent, _ kind: EventKind, at time: EventTime, value: UnsafeRawBufferPointer, seq: Int64,
        installID: String, in line: UnsafeMutableRawBufferPointer, room: Int,
        to container: UnsafeMutablePointer<TrackingContainer>
    ) -> (Outcome, EventStamp?) {
        // The user may have opted out while the event was being encoded.
        guard !isOptedOut else { return (.dropped(.optedOut), nil) }
        let surroundings = surroundings(at: time, installID: installID)
        let needed = self.room(for: kind, value, surroundings: surroundings.length)
        guard needed <= room else { return (.needsRoom(needed), nil) }
        let id = ids.eventID(at: time)
        let length = ContainerLine.write(
            id: id, seq: seq, time: time, surroundings: surroundings, kind: kind, value: value, to: line,
            limit: TrackingContainer.maximumLineLength)
        guard let length else { return (.dropped(.tooLarge), nil) }
        container.initialize(
            to: TrackingContainer(id: id, seq: seq, time: time, surroundings: surroundings, event: event))
        return (.appended, EventStamp(id: id, time: time, name: kind.name, lineLength: length))
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
