package import EventModel
package import EventQuery

/// How far users, or sessions, went on the way of a funnel.
///
/// The steps are taken in the order of the events; what lies between them does not matter, and one event takes one step
/// at most. Memory is flat: past ``maximumWalkers`` only a sample of them is followed, chosen by hash.
package struct FunnelStatistics: Sendable {
    /// How many are followed at most.
    package static let maximumWalkers = 1 << 14

    private static var notReached: Int64 { .min }

    package let plan: FunnelPlan
    /// In microseconds.
    private let within: Int64
    /// Of each step, the latest first step that a way to it began with, in microseconds since 1970: a later one leaves
    /// more time for what follows. Behind the steps, the latest event that took a step.
    private var ways: HashSample<[Int64]>
    /// Steps that lie before the step that was looked at before, of the same user or session: the inputs are not in the
    /// order of time.
    package private(set) var disorderedCount = 0

    init(_ plan: FunnelPlan, maximumWalkers: Int = Self.maximumWalkers) {
        self.plan = plan
        within =
            plan.within.map { $0.components.seconds.multipliedReportingOverflow(by: 1_000_000) }
            .map { $0.overflow ? .max : $0.partialValue } ?? .max
        ways = HashSample(limit: maximumWalkers)
    }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - steps: Those that the event takes: a bit for each, the first step's the lowest.
    ///   - walker: The hash of who did it.
    mutating func add(_ steps: UInt32, walker: UInt64, time: Int64) {
        let fresh = steps & 1 == 0 ? nil : Array(repeating: Self.notReached, count: plan.steps.count + 1)
        let (within, count) = (within, plan.steps.count)
        var isDisordered = false
        ways.update(walker, first: fresh) { way in
            isDisordered = time < way[count]
            way[count] = max(way[count], time)
            // From the last step back: what is reached by this event is not gone on from by it.
            for step in (0..<count).reversed() where steps & 1 << step != 0 {
                if step == 0 {
                    way[0] = max(way[0], time)
                } else if way[step - 1] != Self.notReached, Self.span(way[step - 1], time) <= within {
                    way[step] = max(way[step], way[step - 1])
                }
            }
        }
        if isDisordered { disorderedCount += 1 }
    }

    private static func span(_ start: Int64, _ end: Int64) -> Int64 {
        let (span, overflow) = end.subtractingReportingOverflow(start)
        return overflow ? .max : span
    }

    /// How many got to each step, in the order of the steps; of a sample, what all are expected to be.
    package var counts: [Int] {
        plan.steps.indices.map { step in ways.values.count { $0[step] != Self.notReached } * ways.scale }
    }

    /// How many users or sessions each that was followed stands for; 1 if all were.
    package var scale: Int { ways.scale }
}

/// The way that users are expected to go, and how it is counted.
package struct FunnelPlan: Sendable {
    /// How many steps there are at most.
    package static let maximumSteps = 16

    /// Who goes the way.
    package enum Walker: CaseIterable, Sendable {
        case user
        case session

        /// The member of a line that says who.
        package var member: EnvelopeMember {
            switch self {
            case .user: .userID
            case .session: .sessionID
            }
        }
    }

    /// In their order.
    package let steps: [EventStep]
    package let walker: Walker
    /// How long after the first step the last one counts; nil for any time.
    package let within: Duration?

    /// - Parameter steps: 2 to ``maximumSteps``.
    package init(steps: [EventStep], walker: Walker, within: Duration?) {
        precondition((2...Self.maximumSteps).contains(steps.count))
        (self.steps, self.walker, self.within) = (steps, walker, within)
    }
}

extension FunnelPlan.Walker: RawRepresentable {
    /// The member's name in a line.
    package var rawValue: String { member.rawValue }

    /// The walker that a member names; nil for any other.
    package init?(rawValue: String) {
        guard let walker = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = walker
    }
}
