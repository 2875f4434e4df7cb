internal import ArgumentParser
internal import EventModel
internal import EventQuery
internal import LogStatistics

/// Which funnels are counted.
struct FunnelOptions: ParsableArguments {
    /// So that memory stays flat.
    private static let maximumFunnels = 4

    @Option(
        name: .customLong("funnel"),
        help: ArgumentHelp("A funnel, such as 'launch > search > page-view:detail'. Up to 4.", valueName: "steps"),
        transform: Self.steps)
    var funnels: [[EventStep]] = []

    @Option(help: ArgumentHelp("Who takes the steps: user_id or session_id (default: user_id).", valueName: "member"))
    var funnelBy: FunnelPlan.Walker?

    @Option(
        help: ArgumentHelp(
            "How long after the first step the others count, such as 30m, 1h or 7d (default: any time).",
            valueName: "duration"),
        transform: DurationText.duration)
    var within: Duration?

    func validate() throws {
        guard funnels.count <= Self.maximumFunnels else {
            throw ValidationError("at most \(Self.maximumFunnels) funnels go on a page: write another one for more")
        }
        guard !funnels.isEmpty || (funnelBy == nil && within == nil) else {
            throw ValidationError(
                "\(within == nil ? "--funnel-by" : "--within") is about funnels: give one by --funnel")
        }
    }

    /// What was asked for.
    var plans: [FunnelPlan] {
        funnels.map { FunnelPlan(steps: $0, walker: funnelBy ?? .user, within: within) }
    }

    @Sendable
    private static func steps(_ text: String) throws -> [EventStep] {
        let steps = try TypedOption.read(text) { text throws(TypedTextError) in
            try EventStep.list(text, now: SelectionOptions.now)
        }
        guard (2...FunnelPlan.maximumSteps).contains(steps.count) else {
            throw ValidationError(
                "a funnel has 2 to \(FunnelPlan.maximumSteps) steps with > between them, such as 'launch > search'")
        }
        return steps
    }
}

extension FunnelPlan.Walker: ExpressibleByArgument {}
