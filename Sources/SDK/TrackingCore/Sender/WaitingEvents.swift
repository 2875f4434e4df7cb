/// An event that waits in memory for its person's answer, while the log is open; see
/// ``/EventLog/ConsentPolicy/Waiting/memory``.
struct WaitingEvent: Sendable {
    let held: HeldEvent
    /// Whose event it is: a user, or a device, which may have no id yet.
    var person: String
    /// The session, which may have no id yet.
    var sessionID: String
}

/// The events that wait for an answer, in the order of the calls.
struct WaitingEvents: Sendable {
    let maximumBytes: Int
    private var events: [WaitingEvent] = []
    private var bytes = 0

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    var isEmpty: Bool { events.isEmpty }

    /// - Returns: Whether there was room.
    mutating func add(_ event: WaitingEvent) -> Bool {
        guard bytes + event.held.countedBytes <= maximumBytes else { return false }
        bytes += event.held.countedBytes
        events.append(event)
        return true
    }

    func contains(where isMeant: (WaitingEvent) -> Bool) -> Bool { events.contains(where: isMeant) }

    func first(where isMeant: (WaitingEvent) -> Bool) -> WaitingEvent? { events.first(where: isMeant) }

    /// Replaces the token of a person by the id that is made now.
    mutating func rename(person id: String, to made: String) {
        for index in events.indices where events[index].person == id { events[index].person = made }
    }

    /// The same for a session, which may have the same token as a person.
    mutating func rename(session id: String, to made: String) {
        for index in events.indices where events[index].sessionID == id { events[index].sessionID = made }
    }

    /// Removes events.
    ///
    /// - Returns: The removed events in their order.
    mutating func remove(where isRemoved: (WaitingEvent) -> Bool) -> [WaitingEvent] {
        let removed = events.filter(isRemoved)
        if !removed.isEmpty {
            events.removeAll(where: isRemoved)
            bytes -= removed.reduce(0) { $0 + $1.held.countedBytes }
        }
        return removed
    }
}
