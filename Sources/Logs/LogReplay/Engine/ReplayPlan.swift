/// What a replay is to do.
package struct ReplayPlan: Sendable {
    package var pace: ReplayPace
    /// How many batches may be under way at the same time.
    package var lanes: Int
    package var limits: BatchLimits
    package var rewriting = LineRewriting()
    /// How often all events are sent; nil for ever.
    package var passes: Int? = 1
    package var rule = RefusalRule.stop
    /// How long a batch is tried.
    package var patience: Duration = .seconds(60)

    package init(pace: ReplayPace, lanes: Int, limits: BatchLimits) {
        self.pace = pace
        self.lanes = lanes
        self.limits = limits
    }
}
