internal import EventLog
internal import JSONLines
internal import LogFiles
internal import LogStatistics

/// Counts the lines of chunks.
final class StatsWorker: ChunkWorker {
    struct Output: Sendable {
        let part: StatisticsPart
        /// Malformed lines, numbered within the chunk.
        let issues: [InputError]
        /// The number of lines, including malformed ones.
        let lines: Int
        let held: [HeldEvents: Int]
    }

    private let counter = StatisticsCounter()

    func output(of chunk: LineChunk) -> Output {
        var issues: [InputError] = []
        var lines = 0
        var held: [HeldEvents: Int] = [:]
        chunk.forEachLine { line in
            lines += 1
            if let event = line.standing.held { held[event, default: 0] += 1 }
            do throws(JSONSyntaxError) {
                guard !line.isTorn else { throw JSONSyntaxError(offset: 0, reason: "torn") }
                try counter.add(line.bytes)
            } catch {
                // The parser gives position and reason. If it accepts the line, a counted member is missing.
                issues.append(
                    line.issue(input: "", number: line.number) ?? InputError(error, input: "", line: line.number))
            }
            return true
        }
        return Output(part: counter.takePart(), issues: issues, lines: lines, held: held)
    }
}

/// Merges the counts of all chunks.
final class StatsReducer: ChunkReducer {
    typealias Worker = StatsWorker

    private(set) var statistics: LogStatistics
    /// Malformed lines.
    private(set) var faultyLines = 0
    private let request: EventRequest
    private let console: Console
    private var input = -1
    private var lines: Int64 = 0
    /// Held events by input.
    private var held: [Int: [HeldEvents: Int]] = [:]

    init(_ statistics: LogStatistics, of request: EventRequest, console: Console) {
        self.statistics = statistics
        self.console = console
        self.request = request
    }

    func reduce(_ output: StatsWorker.Output, of chunk: LineChunk, by worker: StatsWorker) -> Bool {
        if chunk.input != input {
            input = chunk.input
            lines = 0
        }
        for issue in output.issues {
            faultyLines += 1
            console.sayFolded(
                "\(issue.moved(to: request.name(ofInput: chunk.input), by: chunk.rows == nil ? lines : 0))")
        }
        if chunk.rows == nil { lines += Int64(output.lines) }
        statistics.add(output.part)
        if !output.held.isEmpty { held[chunk.input, default: [:]].merge(output.held, uniquingKeysWith: +) }
        return true
    }

    /// The held events of each input, in order.
    var heldEvents: [StatsReport.Held] {
        held.sorted { $0.key < $1.key }.flatMap { input, counts in
            counts.sorted { $0.key < $1.key }.map { events, count in
                StatsReport.Held(input: request.name(ofInput: input), events: events, count: count)
            }
        }
    }
}
