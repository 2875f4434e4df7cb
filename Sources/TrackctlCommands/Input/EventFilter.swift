internal import EventLog

/// Which events a command is asked for.
struct EventFilter {
    /// Empty for every name.
    var names: Set<String> = []
    /// Inclusive.
    var since: EventTime?
    /// Exclusive.
    var until: EventTime?

    /// Whether everything passes.
    var isOpen: Bool { names.isEmpty && since == nil && until == nil }

    func passes(_ event: BorrowedEvent) -> Bool {
        if let since, event.time < since { return false }
        if let until, event.time >= until { return false }
        return names.isEmpty || names.contains { $0.utf8.elementsEqual(event.name) }
    }
}
