import EventLog
import EventModel
import Foundation

/// From the append of an event until `trackctl tail -f`, a process of its own, has written its line.
struct TailLatency: Benchmark {
    let name = "tail-latency"
    let summary = "from send to screen: milliseconds until trackctl tail -f shows an event"

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let log = folder("events.sqlite")
        let store = try SQLiteEventStore(path: log, options: .init(installID: { UUID().uuidString }))
        let tail = Process()
        tail.executableURL = URL(fileURLWithPath: try Trackctl.path())
        tail.arguments = ["tail", "-f", log, "-n", "1", "-o", "jsonl"]
        let output = Pipe()
        tail.standardOutput = output
        guard SentLine.append(to: store) else { throw BenchmarkFailure("the log rejects events") }
        try tail.run()
        defer {
            tail.terminate()
            tail.waitUntilExit()
        }
        // The first line says that it follows.
        try Self.readLine(output)
        let clock = ContinuousClock()
        let milliseconds = try (0..<(rounds * 10)).map { round -> Double in
            // Not in step with what either side does by itself.
            usleep(useconds_t(20_000 + round * 7919 % 130_000))
            let start = clock.now
            guard SentLine.append(to: store) else { throw BenchmarkFailure("the log rejects events") }
            try Self.readLine(output)
            return (clock.now - start) / .milliseconds(1)
        }
        let statistics = Statistics(milliseconds)
        return [
            Figure(name: "median, ms", value: statistics.median, bar: nil),
            Figure(name: "nine of ten, ms", value: statistics.quantile(0.9), bar: .atMost(100)),
        ]
    }

    /// Waits for the next line, which comes in one piece.
    private static func readLine(_ pipe: Pipe) throws {
        while true {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchmarkFailure("trackctl tail ended") }
            if data.last == UInt8(ascii: "\n") { return }
        }
    }
}
