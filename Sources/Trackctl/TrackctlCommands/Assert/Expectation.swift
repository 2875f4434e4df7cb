internal import EventQuery
internal import JSONLines

/// What a log must hold, in one regard.
struct Expectation {
    /// What is asked of the lines that are meant.
    enum Demand {
        /// So many of them.
        case count(ClosedRange<Int>)
        /// Some of them that match, one after the other; others may stand between them.
        case sequence([PartialMatch], by: Group?)
        /// Each of them satisfies its schema.
        case valid
        /// No number is missing between the lowest and the highest of an install.
        case noGaps
    }

    /// What a sequence is looked for in.
    enum Group: String, CaseIterable {
        case user = "user_id"
        case session = "session_id"
    }

    /// What reports call it.
    let name: String
    /// Which lines are meant, by their event's name; nil for all.
    var event: TextPattern?
    /// Which lines are meant; nil for all.
    var condition: Condition?
    /// Which lines are meant; nil for all.
    var match: PartialMatch?
    var demand = Demand.count(1...Int.max)

    /// What must be looked for in lines.
    var members: EventLineScanner.Members {
        var members = condition?.members ?? []
        if case .sequence(_, let group?) = demand { members.insert(group == .user ? .userID : .sessionID) }
        return members
    }

    /// Whether a line is meant.
    ///
    /// - Throws: `JSONSyntaxError` if that cannot be told, as the line is no JSON inside.
    func means(_ line: AssertedLine) throws(JSONSyntaxError) -> Bool {
        if let event, !line.event.matches(line.event.name, event) { return false }
        if let condition, !condition.holds(line.event) { return false }
        guard let match else { return true }
        return match.holds(try line.parsed())
    }
}
