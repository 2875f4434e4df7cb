package import EventLog
package import EventModel

/// Which events somebody wants. All that is given must hold; of several values for one thing, one.
package struct EventSelection: Sendable {
    /// Of the event's name; empty for every name.
    package var names: [TextPattern] = []
    /// Of `user_id`; empty for every user.
    package var users: [TextPattern] = []
    /// Of `session_id`; empty for every session.
    package var sessions: [TextPattern] = []
    /// Of `id`, as lines write them; empty for every event.
    package var ids: [TextPattern] = []
    /// Inclusive.
    package var since: EventTime?
    /// Exclusive.
    package var until: EventTime?
    package var conditions: [Condition] = []
    package var sample: EventSample?
    /// Only what comes after it.
    package var after: EventCursor?

    /// Everything.
    package init() {}

    /// Whether everything passes.
    package var isOpen: Bool {
        names.isEmpty && since == nil && until == nil && after == nil && !needsLine
    }

    /// Whether more than the time, the name and the number of an event decides.
    package var needsLine: Bool {
        !users.isEmpty || !sessions.isEmpty || !ids.isEmpty || !conditions.isEmpty || sample != nil
    }

    /// What must be looked for in a line to tell.
    package var members: EventLineScanner.Members {
        var members = conditions.reduce(into: EventLineScanner.Members.event) { $0.formUnion($1.members) }
        if !users.isEmpty { members.insert(.userID) }
        if !sessions.isEmpty { members.insert(.sessionID) }
        if !ids.isEmpty { members.insert(.id) }
        if since != nil || until != nil { members.insert(.time) }
        if after != nil { members.formUnion([.installID, .seq]) }
        return members
    }

    /// Whether an event is wanted, by its line.
    package func takes(_ line: EventLine) -> Bool {
        if !names.isEmpty, !names.contains(where: { line.matches(line.name, $0) }) { return false }
        if since != nil || until != nil {
            guard let time = line.time else { return false }
            if let since, time < since { return false }
            if let until, time >= until { return false }
        }
        if let after, !after.isBefore(line) { return false }
        return takesRest(line)
    }

    /// Whether an event of a database is wanted, as far as its columns tell.
    package func takes(_ event: BorrowedEvent) -> Bool {
        if let since, event.time < since { return false }
        if let until, event.time >= until { return false }
        return names.isEmpty || names.contains { $0.matches(event.name) }
    }

    /// Whether the line of an event that ``takes(_:)`` took by its columns is wanted, too.
    package func takesRest(_ line: EventLine) -> Bool {
        if !users.isEmpty, !users.contains(where: { line.matches(line.userID, $0) }) { return false }
        if !sessions.isEmpty, !sessions.contains(where: { line.matches(line.sessionID, $0) }) { return false }
        if !ids.isEmpty, !ids.contains(where: { line.matches(line.id, $0) }) { return false }
        if !conditions.allSatisfy({ $0.holds(line) }) { return false }
        return sample?.takes(line) ?? true
    }

    /// What a database can decide by its columns.
    package var rows: EventRowFilter {
        EventRowFilter(names: names.map(\.sqliteGlob), since: since, until: until)
    }
}
