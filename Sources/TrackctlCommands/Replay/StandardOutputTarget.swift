internal import EventLog
internal import Tracking

/// Replayed events as JSON lines on standard output.
struct StandardOutputTarget: ReplayTarget {
    private let output = BufferedOutput.standardOutput()

    func store(_ batch: [RecordedContainer]) throws -> ReplayResult {
        for container in batch { try output.write(line: container.line) }
        var result = ReplayResult()
        result.kept = batch.count
        return result
    }

    func finish() throws { try output.flush() }

    func abandon() {}

    var adviceAfterFailure: String { "the output is not complete: run the same command again" }
}
