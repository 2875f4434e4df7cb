import EventLog

// Deleting a user's data.
extension Model {
    /// Erases a user's events, and signs the user out if it is the present one.
    ///
    /// - Returns: The numbers of the events that are certainly erased by this call.
    mutating func erase(_ user: String, _ process: Int) -> Set<Int64> {
        if processes[process]?.isUnopened == true, hasLog { openNow(process) }
        catchUp(process)
        let names = people(of: [.user(user)])
        if identity(process)?.user == user { call(.reset, process) }
        var erased: Set<Int64> = []
        for index in events.indices where events[index].name.map(names.contains) == true {
            switch events[index].state {
            case .waiting: events[index].state = .dropped(.erased)
            case .queued: events[index].state = .removed(.erased)
            case .delivered where !events[index].isErased: events[index].isErased = true
            case .removed where events[index].mayRemain || !events[index].isSettled:
                events[index].mayBeErased = true
                events[index].mayRemain = false
                events[index].isSettled = true
                continue
            default: continue
            }
            events[index].isSettled = true
            if let seq = events[index].seq { erased.insert(seq) }
        }
        return erased
    }
}
