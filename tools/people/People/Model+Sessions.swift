extension Model {
    /// A session of the model, which is one of the SDK.
    struct Session: Hashable {
        let number: Int
        /// The device on which it started: a session ends when the device's id changes.
        let device: Int
        /// Whether the rules leave open if this continues an earlier session.
        let mayContinue: Bool
    }

    /// What a process knows about its session.
    struct SessionState {
        var session: Session?
        var last = Int.min
        /// The last time of former sessions: later than `last` if the clock was set back.
        var formerLast = Int.min
        /// The earliest and the latest possible start: a process that continues a session may not know its first event.
        var started = 0...0
        /// Whether `session` only may be continued.
        var isUncertain = false

        var ended: SessionState { SessionState(formerLast: max(last, formerLast)) }
    }

    private static let maximumPause = 30 * 60
    private static let maximumLength = 24 * 60 * 60

    /// The session of an event at this time.
    mutating func session(at time: Int, _ process: Int, _ identity: Identity) -> Session {
        var state = processes[process]?.session ?? SessionState()
        defer { processes[process]?.session = state }
        let former = state.last
        state.last = max(state.last, time)
        guard let present = state.session else {
            return begin(&state, at: time, identity)
        }
        // Events that other processes sent meanwhile may shorten a pause.
        let others = events.filter { $0.session?.device == identity.device && $0.seq ?? seq < seq }.map(\.time).max()
        let pauses = [former, max(former, others ?? former, state.formerLast)].map { time - $0 > Self.maximumPause }
        let lengths = [state.started.lowerBound, state.started.upperBound].map { time >= $0 + Self.maximumLength }
        let ends = pauses[1] || lengths[1]
        let mayEnd = pauses[0] || lengths[0] || state.isUncertain
        if ends { return begin(&state, at: time, identity) }
        guard mayEnd else { return present }
        if state.isUncertain {
            state.formerLast = max(state.last, state.formerLast)
            state.last = time
        }
        let started = min(state.started.lowerBound, time)...max(state.started.upperBound, time)
        let began = begin(&state, at: time, identity, mayContinue: true)
        state.started = started
        return began
    }

    /// The session of a user of `Tracker.as(user:)`: it ends with the process.
    mutating func session(at time: Int, _ process: Int, of user: String) -> Session {
        var state = processes[process]?.userSessions[user] ?? SessionState()
        defer { processes[process]?.userSessions[user] = state }
        let isOver =
            state.session == nil || time - state.last > Self.maximumPause
            || time >= state.started.lowerBound + Self.maximumLength
        if isOver {
            sessions += 1
            // No device has it, so that no other session is mixed up with it.
            state = SessionState(
                session: Session(number: sessions, device: 0, mayContinue: false), last: time, started: time...time)
        }
        state.last = max(state.last, time)
        return state.session ?? Session(number: 0, device: 0, mayContinue: true)
    }

    private mutating func begin(
        _ state: inout SessionState, at time: Int, _ identity: Identity, mayContinue: Bool = false
    ) -> Session {
        sessions += 1
        let session = Session(number: sessions, device: identity.device, mayContinue: mayContinue)
        state.session = session
        state.started = time...time
        state.isUncertain = false
        return session
    }

    /// The session with which a process starts: that of the log's newest event, unless a reset has ended it.
    func resumed(_ process: Process, _ identity: Identity) -> SessionState {
        guard settings.resumesSessions, let newest = events.first(where: { $0.seq == seq }),
            let session = newest.session
        else { return SessionState() }
        guard session.device == identity.device else {
            // Another process may have the newest event, of another user, in its journal.
            if newest.user != nil, process.isSecond || seq != process.newestAtStart,
                let own = events.last(where: { $0.session?.device == identity.device && $0.seq != nil })
            {
                return SessionState(
                    session: own.session, last: own.time, started: own.time...own.time, isUncertain: true)
            }
            // The log's newest event may then be one of the same user, before the sign-outs.
            let left = events.filter { $0.seq != nil && !$0.isRemoved }
                .max { ($0.seq ?? 0) < ($1.seq ?? 0) }
            if newest.isRemoved, let left, left.name.map(identity.names.contains) == true, let former = left.session {
                return SessionState(
                    session: former, last: left.time, started: left.time...left.time, isUncertain: true)
            }
            // Another process's reset ends a session, too, but the log does not show it if the user is the same again.
            let isSameUser = newest.name == identity.name
            let times = newest.time...newest.time
            return SessionState(
                session: isSameUser ? session : nil, last: newest.time, started: times, isUncertain: isSameUser)
        }
        // The log may not have the session's first event any more, and other processes' events may be between its events.
        let own =
            events
            .filter { $0.session == session || session.mayContinue && $0.session?.device == session.device }
            .sorted { ($0.seq ?? 0) < ($1.seq ?? 0) }
        let times = own.map(\.time)
        let isWhole = own.allSatisfy { !$0.isRemoved } && Int(seq - (own[0].seq ?? 0)) == own.count - 1
        var started = min(times.min() ?? newest.time, newest.time)...newest.time
        if settings.isLive { started = newest.time...newest.time }
        if !settings.isLive, !session.mayContinue, isWhole, times == times.sorted() { started = times[0]...times[0] }
        return SessionState(
            session: session, last: newest.time, started: started,
            isUncertain: newest.isRemoved || seq != process.newestAtStart || process.isSecond)
    }
}
