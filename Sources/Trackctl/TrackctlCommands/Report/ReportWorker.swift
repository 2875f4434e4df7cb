internal import LogStatistics
internal import TrackingPlan

/// Counts the lines of chunks, and checks them if there is a plan.
final class ReportWorker: ChunkWorker {
    struct Output: Sendable {
        let counted: StatsWorker.Output
        let journeys: JourneyPart
        /// Nil without a plan.
        let findings: LineFindings?
    }

    let stats = StatsWorker()
    let validator: LineValidator?
    private let journeys: JourneyCounter

    init(funnels: [FunnelPlan], plan: CompiledPlan?) {
        journeys = JourneyCounter(funnels)
        validator = plan.map { LineValidator($0, maximumInvalid: .max, keepsRejected: false) }
    }

    func output(of chunk: LineChunk) -> Output {
        let counted = stats.output(of: chunk)
        chunk.forEachLine { line in
            // Malformed lines are already counted: both counters reject the same lines.
            if !line.isTorn { try? journeys.add(line.bytes) }
            return true
        }
        return Output(counted: counted, journeys: journeys.takePart(), findings: validator?.output(of: chunk))
    }
}

/// Merges the results of all chunks.
final class ReportReducer: ChunkReducer {
    typealias Worker = ReportWorker

    let stats: StatsReducer
    private(set) var journeys: Journeys
    private let findings: FindingReducer?

    /// - Parameter plan: The plan to check lines against; nil to skip the check.
    init(_ request: EventRequest, funnels: [FunnelPlan], plan: ScanPlan?, console: Console) {
        stats = StatsReducer(LogStatistics(isByClock: true), of: request, console: console)
        journeys = Journeys(funnels)
        findings = plan.map { FindingReducer(events: $0.plan.events.count, maximumInvalid: .max, rejects: nil) }
    }

    func reduce(_ output: ReportWorker.Output, of chunk: LineChunk, by worker: ReportWorker) -> Bool {
        var continues = stats.reduce(output.counted, of: chunk, by: worker.stats)
        journeys.add(output.journeys)
        if let findings, let found = output.findings, let validator = worker.validator {
            continues = findings.reduce(found, of: chunk, by: validator) && continues
        }
        return continues
    }

    /// The result of the check against the plan.
    func validation(of inputs: [EventStream.Input], plan: ScanPlan) -> ValidationReport {
        ValidationReport(plan: plan, inputs: inputs, findings: findings?.inputs ?? [:], failOn: FailOn([]))
    }
}
