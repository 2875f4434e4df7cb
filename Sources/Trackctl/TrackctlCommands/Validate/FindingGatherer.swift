internal import TrackingPlan

/// Puts together what is found in the chunks of all inputs.
final class FindingGatherer: ChunkGatherer {
    typealias Worker = LineValidator

    /// By the input's place; an input without lines may have none.
    private(set) var inputs: [Int: LineFindings] = [:]
    /// Whether reading was stopped because of too many invalid lines.
    private(set) var isStopped = false
    private let events: Int
    private let maximumInvalid: Int
    private var invalid = 0
    private let rejects: RejectsFile?
    /// Why the invalid lines could not be written.
    private(set) var failure: (any Error)?

    /// - Parameter rejects: Where invalid lines go, if anywhere.
    init(events: Int, maximumInvalid: Int, rejects: RejectsFile?) {
        self.rejects = rejects
        self.events = events
        self.maximumInvalid = maximumInvalid
    }

    func gather(_ output: LineFindings, of chunk: LineChunk, by worker: LineValidator) -> Bool {
        var findings = output
        let allowed = maximumInvalid - invalid
        if findings.invalid >= allowed {
            // Up to the last invalid line that is allowed, and not a line more.
            findings = worker.findings(in: chunk, maximumInvalid: allowed)
            isStopped = true
        }
        do { try rejects?.write(findings.rejected) } catch {
            failure = error
            return false
        }
        findings.rejected = []
        invalid += findings.invalid
        inputs[chunk.input, default: LineFindings(events: events)].add(findings, following: chunk.rows == nil)
        return !isStopped
    }
}
