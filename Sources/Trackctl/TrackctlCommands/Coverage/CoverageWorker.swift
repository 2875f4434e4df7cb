internal import JSONSchema
internal import TrackingPlan

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
            let result = result(line)
            guard !result.isUnplanned else {
                coverage.addUnplanned(result.name, maps)
                return true
            }
            // The document is JSON if the line is valid, or if its page was checked.
            let document = result.isRead ? JSONDocument(validating: line.bytes, limits: .interoperable) : nil
            if let name = result.otherEvent {
                coverage.addInvalid(ofEvent: name)
            } else if result.isOnOtherPage {
                coverage.addInvalid(onPage: document?.root["event"]?["value"]?["page"]?.string)
            } else if let event = result.event, let document {
                coverage.add(event: event, line: document, maps: maps)
            } else {
                coverage.addInvalid()
            }
            return true
        }
        return coverage
    }

    /// The outcome of checking a line.
    private struct Result {
        /// The event of a valid line.
        var event: Int?
        /// Whether the only finding is the page of a `page-view`.
        var isOnOtherPage = false
        /// Whether the plan allows the event without a schema.
        var isUnplanned = false
        /// The name of such an event.
        var name: String?
        /// The event's reference, if the only finding is that the plan lacks it.
        var otherEvent: String?
        var isRead: Bool { event != nil || isOnOtherPage }
    }

    private func result(_ line: LineChunk.Line) -> Result {
        guard !line.isTorn else { return Result() }
        if let event = checker.validEvent(line.bytes) { return Result(event: event) }
        let result = checker.check(line.bytes)
        if result.isUnplanned {
            return Result(isUnplanned: true, name: result.reference.map { String($0.prefix { $0 != "/" }) })
        }
        if result.event == nil, let kind = result.findings.first?.kind, kind == .unknownEvent || kind == .unknownVersion
        {
            return Result(otherEvent: result.reference)
        }
        return Result(
            event: result.isValid ? result.event : nil, isOnOtherPage: result.findings.first?.kind == .pageNotInPlan)
    }
}

final class CoverageReducer: ChunkReducer {
    typealias Worker = CoverageWorker

    private(set) var coverage: PlanCoverage

    init(_ maps: PlanCoverageMaps) { coverage = PlanCoverage(maps) }

    func reduce(_ output: PlanCoverage, of chunk: LineChunk, by worker: CoverageWorker) -> Bool {
        coverage.add(output)
        return true
    }
}
