internal import JSONLines
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
            // What holds no event is among the faults already: the two refuse the same lines.
            if !line.isTorn { try? journeys.add(line.bytes) }
            return true
        }
        return Output(counted: counted, journeys: journeys.takePart(), findings: validator?.output(of: chunk))
    }
}
