internal import EventLog
internal import Tracking

/// A new file of JSON lines.
struct LinesFileTarget: ReplayTarget {
    private let file: NewFile

    /// Starts the file.
    ///
    /// - Throws: ``CommandFailure``: `usage` if it is there already, `inputOutput` if it cannot be made.
    init(path: String) throws { file = try NewFile(path: path) }

    func store(_ batch: [RecordedContainer]) throws -> ReplayResult {
        for container in batch { try file.output.write(line: container.line) }
        var result = ReplayResult()
        result.kept = batch.count
        return result
    }

    func finish() throws { try file.finish() }

    func abandon() { file.abandon() }

    var adviceAfterFailure: String { "\(file.path) was not made: run the same command again" }
}
