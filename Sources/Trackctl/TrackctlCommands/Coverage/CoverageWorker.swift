internal import JSONSchema
internal import TrackingPlan

/// Finds out what the lines of chunks show of a plan.
final class CoverageWorker: ChunkWorker {
    private let maps: PlanCoverageMaps
    private var checker: LineChecker

    init(_ plan: CompiledPlan, _ maps: PlanCoverageMaps) {
        self.maps = maps
        checker = LineChecker(plan, maximumFindings: 1)
    }

    func output(of chunk: LineChunk) -> PlanCoverage {
        var coverage = PlanCoverage(maps)
        chunk.forEachLine { line in
            guard let event = validEvent(line),
                // A valid line is JSON.
                let document = try? JSONDocument(line.bytes, limits: .interoperable)
            else {
                coverage.addInvalid()
                return true
            }
            coverage.add(event, document, maps)
            return true
        }
        return coverage
    }

    private func validEvent(_ line: LineChunk.Line) -> Int? {
        guard !line.isTorn else { return nil }
        if let event = checker.validEvent(line.bytes) { return event }
        let result = checker.check(line.bytes)
        return result.isValid ? result.event : nil
    }
}

/// Puts together what the chunks of all inputs show.
final class CoverageReducer: ChunkReducer {
    typealias Worker = CoverageWorker

    private(set) var coverage: PlanCoverage

    init(_ maps: PlanCoverageMaps) { coverage = PlanCoverage(maps) }

    func reduce(_ output: PlanCoverage, of chunk: LineChunk, by worker: CoverageWorker) -> Bool {
        coverage.add(output)
        return true
    }
}
