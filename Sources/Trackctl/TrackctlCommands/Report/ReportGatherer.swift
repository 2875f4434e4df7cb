internal import LogStatistics
internal import TrackingPlan

/// Puts together what the chunks of all inputs show.
final class ReportGatherer: ChunkGatherer {
    typealias Worker = ReportWorker

    let stats: StatsGatherer
    private(set) var journeys: Journeys
    private let findings: FindingGatherer?

    /// - Parameter plan: What lines are checked against, if they are.
    init(_ request: EventRequest, funnels: [FunnelPlan], plan: ScanPlan?, console: Console) {
        stats = StatsGatherer(LogStatistics(isByClock: true), of: request, console: console)
        journeys = Journeys(funnels)
        findings = plan.map { FindingGatherer(events: $0.plan.events.count, maximumInvalid: .max, rejects: nil) }
    }

    func gather(_ output: ReportWorker.Output, of chunk: LineChunk, by worker: ReportWorker) -> Bool {
        var goesOn = stats.gather(output.counted, of: chunk, by: worker.stats)
        journeys.add(output.journeys)
        if let findings, let found = output.findings, let validator = worker.validator {
            goesOn = findings.gather(found, of: chunk, by: validator) && goesOn
        }
        return goesOn
    }

    /// What the check of the lines found.
    func validation(of inputs: [EventStream.Input], plan: ScanPlan) -> ValidationReport {
        ValidationReport(plan: plan, inputs: inputs, findings: findings?.inputs ?? [:], failOn: FailOn([]))
    }
}
