package import EventQuery

/// The way that users are expected to go, and how it is counted.
package struct FunnelPlan: Sendable {
    /// How many steps there are at most.
    package static let maximumSteps = 16

    /// Who goes the way.
    package enum Walker: String, CaseIterable, Sendable {
        case user = "user_id"
        case session = "session_id"
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
