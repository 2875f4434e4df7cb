internal import EventLog

/// Which events a command is asked for.
struct EventFilter {
    /// Empty for every name.
    var names: Set<String> = []
    /// Inclusive.
    var since: EventTime?
    /// Exclusive.
    var until: EventTime?

    func passes(_ record: EventRecord) -> Bool {
        if let since, record.time < since { return false }
        if let until, record.time >= until { return false }
        return names.isEmpty || names.contains(record.name)
    }
}
