package import EventModel
package import EventQuery

/// Counts the users or sessions that complete the steps of a funnel.
///
/// Steps must occur in order, with any other events in between. An event completes at most one step. Memory is
/// constant: above ``maximumWalkers``, only a sample is followed, chosen by hash.
package struct FunnelStatistics: Sendable {
    /// The most users or sessions that are followed.
    package static let maximumWalkers = 1 << 14

    private static var notReached: Int64 { .min }

    package let plan: FunnelPlan
    /// In microseconds.
    private let within: Int64
    /// For each step, the start time of the latest attempt that reached it, in microseconds since 1970: a later start
    /// leaves more time for the following steps. The last element is the latest time of an event that completed a step.
    private var paths: HashSample<[Int64]>
    /// Steps with an earlier time than the previous step of the same user or session: the inputs are not sorted by
    /// time.
    package private(set) var disorderedCount = 0

    init(_ plan: FunnelPlan, maximumWalkers: Int = Self.maximumWalkers) {
        self.plan = plan
        within =
            plan.within.map { $0.components.seconds.multipliedReportingOverflow(by: 1_000_000) }
            .map { $0.overflow ? .max : $0.partialValue } ?? .max
        paths = HashSample(limit: maximumWalkers)
    }

    /// Adds an event.
    ///
    /// - Parameters:
    /// - steps: The steps that the event matches, as a bit mask; the lowest bit is the first step.
    /// - walker: The hash of the user or session.
    mutating func add(_ steps: UInt32, walker: UInt64, time: Int64) {
        let fresh = steps & 1 == 0 ? nil : Array(repeating: Self.notReached, count: plan.steps.count + 1)
        let within = within
        let count = plan.steps.count
        var isDisordered = false
        paths.update(walker, first: fresh) { path in
            isDisordered = time < path[count]
            path[count] = max(path[count], time)
            // Go backwards, so that an event does not complete several steps.
            for step in (0..<count).reversed() where steps & 1 << step != 0 {
                if step == 0 {
                    path[0] = max(path[0], time)
                } else if path[step - 1] != Self.notReached, Self.span(path[step - 1], time) <= within {
                    path[step] = max(path[step], path[step - 1])
                }
            }
        }
        if isDisordered { disorderedCount += 1 }
    }

    private static func span(_ start: Int64, _ end: Int64) -> Int64 {
        let (span, overflow) = end.subtractingReportingOverflow(start)
        return overflow ? .max : span
    }

    /// The number of users or sessions that reached each step; extrapolated for a sample.
    package var counts: [Int] {
        plan.steps.indices.map { step in paths.values.count { $0[step] != Self.notReached } * paths.scale }
    }

    /// The number of users or sessions that each sampled user or session represents; 1 without sampling.
    package var scale: Int { paths.scale }
}

/// A funnel: its steps, and how to count them.
package struct FunnelPlan: Sendable {
    /// The most steps.
    package static let maximumSteps = 16

    /// The unit that completes steps.
    package enum Walker: CaseIterable, Sendable {
        case user
        case session

        /// The member of a line that identifies the unit.
        package var member: EnvelopeMember {
            switch self {
            case .user: .userID
            case .session: .sessionID
            }
        }
    }

    /// In order.
    package let steps: [EventStep]
    package let walker: Walker
    /// The longest time after the first step; nil for no limit.
    package let within: Duration?

    /// - Parameter steps: 2 to ``maximumSteps``.
    package init(steps: [EventStep], walker: Walker, within: Duration?) {
        precondition((2...Self.maximumSteps).contains(steps.count))
        self.steps = steps
        self.walker = walker
        self.within = within
    }
}

extension FunnelPlan.Walker: RawRepresentable {
    /// The member's name in a line.
    package var rawValue: String { member.rawValue }

    /// The unit with this member; nil for any other.
    package init?(rawValue: String) {
        guard let walker = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = walker
    }
}
