package import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives
internal import StreamClient

/// What a loader has done since its start, in the Prometheus text format. Thread-safe.
final class LoaderMetrics: Sendable {
    private struct Counts {
        var blocks: Int64 = 0
        var rows: Int64 = 0
        var duplicates: Int64 = 0
        var forks: Int64 = 0
        var failures: Int64 = 0
        var seconds = 0.0
        var lastBlock: EventTime?
        var sequences: [Int: Int64] = [:]
        /// When collectors received the oldest message of each partition that is read and not loaded; nil for none.
        var oldest: [Int: EventTime?] = [:]
        var stopped: Set<Int> = []
    }

    private let counts = Locked(Counts())

    /// Counts a block that all stores have.
    func wrote(_ block: Block, in duration: Duration) {
        counts.withLock { counts in
            counts.blocks += 1
            counts.rows += block.events.reduce(0) { $0 + $1.count }
            counts.duplicates += block.duplicates
            counts.forks += block.installs.reduce(0) { $0 + ($1.fork.isEmpty ? 0 : $1.count) }
            counts.seconds += duration / .seconds(1)
            counts.lastBlock = .ofSystem()
            counts.sequences[block.cut.partition] = block.cut.through
        }
    }

    /// Notes the oldest message of a partition that is read and not loaded.
    func waiting(_ partition: Int, since oldest: EventTime?) {
        counts.withLock { counts in _ = counts.oldest.updateValue(oldest, forKey: partition) }
    }

    /// Notes that a partition is not loaded any more.
    func stopped(_ partition: Int) { counts.withLock { _ = $0.stopped.insert(partition) } }

    /// Counts an attempt that is retried.
    func failed() { counts.withLock { $0.failures += 1 } }

    var text: String {
        let counts = counts.withLock { $0 }
        var text = ""
        func add(_ name: String, kind: String, help: String, values: [(labels: String, value: String)]) {
            text += "# HELP tracking_loader_\(name) \(help)\n# TYPE tracking_loader_\(name) \(kind)\n"
            for (labels, value) in values { text += "tracking_loader_\(name)\(labels) \(value)\n" }
        }
        add("blocks_total", kind: "counter", help: "Blocks that all stores have.", values: [("", "\(counts.blocks)")])
        add("events_total", kind: "counter", help: "Events in these blocks.", values: [("", "\(counts.rows)")])
        add(
            "duplicates_total", kind: "counter", help: "Lines that an earlier message had with the same bytes.",
            values: [("", "\(counts.duplicates)")])
        add(
            "forks_total", kind: "counter", help: "Other lines under a known number.", values: [("", "\(counts.forks)")]
        )
        add(
            "failures_total", kind: "counter", help: "Attempts that failed and are retried.",
            values: [("", "\(counts.failures)")])
        add(
            "block_seconds_total", kind: "counter",
            help: "Time to build blocks and write them to the stores, in seconds.",
            values: [("", "\(counts.seconds)")])
        add(
            "stopped_partitions", kind: "gauge",
            help: "Partitions that are not loaded until a person corrects an error; see the log.",
            values: [("", "\(counts.stopped.count)")])
        if let last = counts.lastBlock {
            add(
                "last_block_timestamp_seconds", kind: "gauge", help: "When a block was last completed.",
                values: [("", "\(last.microseconds / 1_000_000)")])
        }
        if !counts.oldest.isEmpty {
            let now = EventTime.ofSystem().microseconds
            add(
                "lag_seconds", kind: "gauge",
                help:
                    "The age of the oldest message that is not loaded, since a collector received it; 0 if all are loaded.",
                values: counts.oldest.sorted { $0.key < $1.key }.map { partition, oldest in
                    let lag = oldest.map { max(0, now - $0.microseconds) } ?? 0
                    return ("{partition=\"\(partition)\"}", "\(Double(lag) / 1_000_000)")
                })
        }
        if !counts.sequences.isEmpty {
            add(
                "stream_sequence", kind: "gauge", help: "The stream sequence up to which a partition is loaded.",
                values: counts.sequences.sorted { $0.key < $1.key }.map { ("{partition=\"\($0.key)\"}", "\($0.value)") }
            )
        }
        return text
    }
}

/// Writes metrics to a file for the textfile collector of Prometheus' node_exporter, at most every ten seconds.
struct MetricsFile {
    private let path: String
    private var written: ContinuousClock.Instant?

    init(path: String) { self.path = path }

    /// Writes the file if ten seconds have passed. The file is replaced as a whole, as the collector requires.
    ///
    /// - Throws: Foundation's errors.
    mutating func update(_ metrics: LoaderMetrics, isLast: Bool = false) throws {
        if !isLast, let written, ContinuousClock.now - written < .seconds(10) { return }
        written = .now
        try Data(metrics.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}

/// Log entries as JSON lines on standard error: `{"time":…,"level":"warning","message":"…",…}`.
enum LoaderLog {
    enum Level: String {
        case notice, warning, error
    }

    private static let recent = Locked<[String: ContinuousClock.Instant]>([:])

    /// Writes an entry, unless the same message was written in the last 30 seconds: while a server is away, each partition
    /// has the same problem.
    static func write(_ level: Level, _ message: String, metadata: [String: String] = [:]) {
        let isNew = recent.withLock { recent in
            let now = ContinuousClock.now
            recent = recent.filter { now - $0.value < .seconds(30) }
            guard recent[message] == nil else { return false }
            recent[message] = now
            return true
        }
        guard isNew else { return }
        var json = JSONWriter()
        json.beginObject()
        json.key("time")
        json.seconds(microseconds: EventTime.ofSystem().microseconds)
        json.key("level")
        json.string(level.rawValue)
        json.key("logger")
        json.string("loader")
        json.key("message")
        json.string(message)
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            json.key(name)
            json.string(value)
        }
        json.endObject()
        FileHandle.standardError.write(Data(json.bytes + [UInt8(ascii: "\n")]))
    }
}

extension EventTime {
    /// The system's clock.
    package static func ofSystem() -> EventTime {
        EventTime(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
    }
}
