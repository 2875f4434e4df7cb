internal import TrackingPlan

/// Checks the lines of chunks against a plan.
final class LineValidator: ChunkWorker {
    private var checker: LineChecker
    private let events: Int
    /// After so many invalid lines a chunk is left.
    private let maximumInvalid: Int
    private let keepsRejected: Bool

    /// - Parameter keepsRejected: Whether the invalid lines themselves are wanted.
    init(_ plan: CompiledPlan, maximumInvalid: Int, keepsRejected: Bool) {
        checker = LineChecker(plan)
        events = plan.plan.events.count
        self.maximumInvalid = maximumInvalid
        self.keepsRejected = keepsRejected
    }

    func output(of chunk: LineChunk) -> LineFindings { findings(in: chunk, maximumInvalid: maximumInvalid) }

    /// What is found in a chunk, up to so many invalid lines.
    func findings(in chunk: LineChunk, maximumInvalid: Int) -> LineFindings {
        var findings = LineFindings(events: events, maximumGroups: .max)
        chunk.forEachLine { line in
            if !line.isTorn, let event = checker.validEvent(line.bytes) {
                findings.addValid(event, at: checker.microseconds)
                return true
            }
            let result = line.isTorn ? Self.torn : checker.check(line.bytes)
            if result.isValid, let event = result.event {
                findings.addValid(event, at: result.microseconds)
                return true
            }
            findings.addInvalid(result) {
                LinePlace(input: chunk.input, line: line, isRow: chunk.isDatabase, offset: $0)
            }
            if keepsRejected { findings.rejected += line.bytes + [UInt8(ascii: "\n")] }
            return findings.invalid < maximumInvalid
        }
        return findings
    }

    private static let torn = LineResult(
        finding: LineFinding(.torn, "the last line has no line feed: a write was cut off"))
}
