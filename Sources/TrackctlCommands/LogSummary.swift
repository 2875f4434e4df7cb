internal import EventLog
internal import JSONLines
internal import Tracking

/// What `trackctl stats` counts, and how it shows it.
struct LogSummary {
    private(set) var count = 0
    private var events: [String: Int] = [:]
    private var times: ClosedRange<EventTime>?
    private var installs: [String: SequenceRanges] = [:]
    var drops: [LedgerEntry] = []

    mutating func add(_ container: RecordedContainer) {
        count += 1
        events[container.name, default: 0] += 1
        let time = container.time
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        installs[container.installID, default: SequenceRanges()].add(container.seq)
    }

    /// Event names, most frequent first.
    private var byCount: [(name: String, count: Int)] {
        events.map { (name: $0.key, count: $0.value) }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    var text: String {
        var lines = ["events   \(count)"]
        if let times {
            lines.append("first    \(PointInTime.text(times.lowerBound))")
            lines.append("last     \(PointInTime.text(times.upperBound))")
        }
        let width = byCount.map(\.name.count).max() ?? 0
        for event in byCount {
            let padding = String(repeating: " ", count: width - event.name.count)
            lines.append("  \(event.name)\(padding)  \(event.count)")
        }
        for (install, seqs) in installs.sorted(by: { $0.key < $1.key }) {
            let (first, last) = (seqs.ranges.first?.lowerBound ?? 0, seqs.ranges.last?.upperBound ?? 0)
            lines.append("install  \(install)")
            lines.append("  seq    \(first) to \(last)")
            lines.append("  gaps   \(Self.text(seqs.gaps))")
            lines.append("  double \(seqs.doubles)")
        }
        for drop in drops {
            let consumer = drop.consumer.map { " by \($0)" } ?? ""
            let seqs = drop.seqs.map { ", seq \($0.lowerBound) to \($0.upperBound)" } ?? ""
            lines.append("dropped  \(drop.count) \(drop.reason.rawValue)\(consumer)\(seqs)")
        }
        return lines.joined(separator: "\n")
    }

    /// The first few gaps, and how many numbers are missing in all.
    private static func text(_ gaps: [ClosedRange<Int64>]) -> String {
        guard !gaps.isEmpty else { return "none" }
        let missing = gaps.reduce(Int64(0)) { $0 + $1.upperBound - $1.lowerBound + 1 }
        let shown = gaps.prefix(5).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
        }
        let more = gaps.count > 5 ? ", and \(gaps.count - 5) more" : ""
        return "\(missing) missing in \(gaps.count): \(shown.joined(separator: ", "))\(more)"
    }

    /// One line; the form is stable: members are added, never changed.
    var json: [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("count")
        json.integer(count)
        json.key("events")
        json.beginObject()
        for (name, count) in events.sorted(by: { $0.key < $1.key }) {
            json.key(name)
            json.integer(count)
        }
        json.endObject()
        if let times {
            json.key("first_time")
            json.seconds(microseconds: times.lowerBound.microseconds)
            json.key("last_time")
            json.seconds(microseconds: times.upperBound.microseconds)
        }
        json.key("installs")
        json.beginArray()
        for (install, seqs) in installs.sorted(by: { $0.key < $1.key }) { Self.write(install, seqs, to: &json) }
        json.endArray()
        json.key("drops")
        json.beginArray()
        for drop in drops { Self.write(drop, to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func write(_ install: String, _ seqs: SequenceRanges, to json: inout JSONWriter) {
        json.beginObject()
        json.key("install_id")
        json.string(install)
        json.key("first_seq")
        json.integer(seqs.ranges.first?.lowerBound ?? 0)
        json.key("last_seq")
        json.integer(seqs.ranges.last?.upperBound ?? 0)
        json.key("gaps")
        json.beginArray()
        for gap in seqs.gaps {
            json.beginArray()
            json.integer(gap.lowerBound)
            json.integer(gap.upperBound)
            json.endArray()
        }
        json.endArray()
        json.key("doubles")
        json.integer(seqs.doubles)
        json.endObject()
    }

    private static func write(_ drop: LedgerEntry, to json: inout JSONWriter) {
        json.beginObject()
        json.key("reason")
        json.string(drop.reason.rawValue)
        if let consumer = drop.consumer {
            json.key("consumer")
            json.string(consumer)
        }
        json.key("count")
        json.integer(drop.count)
        if let seqs = drop.seqs {
            json.key("first_seq")
            json.integer(seqs.lowerBound)
            json.key("last_seq")
            json.integer(seqs.upperBound)
        }
        json.endObject()
    }
}
