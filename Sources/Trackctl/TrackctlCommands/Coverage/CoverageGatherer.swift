internal import TrackingPlan

/// Puts together what the chunks of all inputs show.
final class CoverageGatherer: ChunkGatherer {
    typealias Worker = CoverageWorker

    private(set) var coverage: PlanCoverage

    init(_ maps: PlanCoverageMaps) { coverage = PlanCoverage(maps) }

    func gather(_ output: PlanCoverage, of chunk: LineChunk, by worker: CoverageWorker) -> Bool {
        coverage.add(output)
        return true
    }
}
