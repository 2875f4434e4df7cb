/// What users did over time: sessions, returns, and ways through funnels. Memory is flat for any number of them.
package struct Journeys: Sendable {
    package private(set) var sessions = SessionStatistics()
    package private(set) var retention = RetentionStatistics()
    /// In the order in which they were asked for.
    package private(set) var funnels: [FunnelStatistics]

    /// Makes an empty one.
    package init(_ funnels: [FunnelPlan]) { self.funnels = funnels.map { FunnelStatistics($0) } }

    /// Adds what further lines show.
    package mutating func add(_ part: JourneyPart) {
        for line in part.times.indices {
            sessions.add(session: part.sessions[line], time: part.times[line])
            retention.add(user: part.users[line], time: part.times[line])
        }
        for match in part.matches {
            let walkers = funnels[match.funnel].plan.walker == .user ? part.users : part.sessions
            funnels[match.funnel].add(match.steps, walker: walkers[match.line], time: part.times[match.line])
        }
    }
}
