internal import EventLog
internal import EventModel
internal import LogStatistics
internal import TextRendering

extension StatsReport {
    private static let sparklineWidth = 40

    /// Writes the report as text.
    ///
    /// - Parameter sparklines: Whether to draw events over time.
    /// - Throws: `LogFileError`, `cannotWrite`.
    func writeText(sparklines: Bool, to output: BufferedOutput) throws {
        func write(_ line: String) throws { try output.write(line: line.utf8) }
        for line in overview { try write(line) }
        if !statistics.events.isEmpty {
            for table in [eventTable(sparklines), installTable] { for line in [""] + table { try write(line) } }
        }
        if let steps = statistics.steps {
            try write("")
            try forEachLine(of: steps, write)
        }
        if !held.isEmpty { for line in [""] + heldTable { try write(line) } }
        if !drops.isEmpty { for line in [""] + dropTable { try write(line) } }
    }

    private var overview: [String] {
        guard statistics.total > 0 else { return ["events    0"] }
        return [
            "events    \(statistics.total.grouped)\(rate.map { ", \($0)" } ?? "")",
            "bytes     \(statistics.bytes.grouped), \((statistics.bytes / statistics.total).grouped) per line",
            "first     \(statistics.firstTime?.rfc3339 ?? "-")",
            "last      \(statistics.lastTime?.rfc3339 ?? "-")",
            "users     \(Self.text(statistics.users))",
            "sessions  \(Self.text(statistics.sessions))",
            "installs  \(statistics.installs.count.grouped)",
        ]
    }

    /// `2.4 per second`, in the smallest unit with a value of at least 1; nil for a span of less than a second.
    private var rate: String? {
        guard let span, span >= 1 else { return nil }
        let units = [("second", 1.0), ("minute", 60), ("hour", 3600), ("day", 86_400)]
        let perSecond = Double(statistics.total) / span
        let (name, length) = units.first { perSecond * $0.1 >= 1 } ?? ("day", 86_400)
        return "\(Self.oneDecimal(perSecond * length)) per \(name)"
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\((tenths / 10).grouped).\(tenths % 10)"
    }

    private static func text(_ counter: UniqueCounter) -> String {
        counter.isApproximate ? "about \(counter.count.grouped) (an estimate, within 2%)" : counter.count.grouped
    }

    private static func cell(_ counter: UniqueCounter) -> String {
        (counter.isApproximate ? "~" : "") + counter.count.grouped
    }

    private func eventTable(_ sparklines: Bool) -> [String] {
        let seconds = [statistics.firstTime, statistics.lastTime].map { ($0?.microseconds ?? 0) / 1_000_000 }
        var table = TextTable(
            ["event", "count", "share", "bytes", "users"] + (sparklines ? ["over time"] : []),
            rightAligned: [1, 2, 3, 4])
        for event in statistics.events {
            let share = Self.oneDecimal(100 * Double(event.count) / Double(statistics.total))
            let columns = event.times.columns(Self.sparklineWidth, from: seconds[0], through: seconds[1])
            table.add(
                [event.name.printable, event.count.grouped, "\(share)%", event.bytes.grouped, Self.cell(event.users)]
                    + (sparklines ? [Sparkline.text(columns)] : []))
        }
        return table.lines
    }

    private var installTable: [String] {
        var table = TextTable(["install", "count", "seq", "missing", "doubled"], rightAligned: [1])
        for (id, install) in statistics.installs {
            table.add([
                id.printable, install.count.grouped, Self.text(install.firstSeq...install.lastSeq),
                Self.text(install.missing, install.seen.gaps),
                Self.text(Int64(install.doubleCount), install.doubles.ranges),
            ])
        }
        let unchecked = statistics.uncheckedEvents
        let isApproximate = statistics.installs.contains { $0.statistics.isApproximate }
        return table.lines
            + (unchecked > 0 ? ["\(unchecked.grouped) events of further installs are not in this table"] : [])
            + (isApproximate ? ["too many gaps: the numbers of missing and duplicate events are estimates"] : [])
    }

    private func forEachLine(of steps: TimeSteps, _ body: (String) throws -> Void) rethrows {
        let rows = steps.rows.lazy.map {
            [$0.name(of: steps.step), $0.event.printable, $0.count.grouped]
        }
        try TextTable([steps.step.rawValue, "event", "count"], rightAligned: [2]).forEachLine(followedBy: rows, body)
        if let uncounted { try body(uncounted) }
    }

    /// A message on events that are in no step; nil if there are none.
    var uncounted: String? {
        guard let uncounted = statistics.steps?.uncounted, uncounted > 0 else { return nil }
        return "\(uncounted.counted("event")) not counted by time: choose a longer step, or a shorter time span"
    }

    private var heldTable: [String] {
        var table = TextTable(["held", "purpose", "count", "log"], rightAligned: [2])
        for held in held {
            table.add([
                held.events.reason.rawValue, held.events.purpose.name.printable, held.count.grouped, held.input,
            ])
        }
        return table.lines
    }

    private var dropTable: [String] {
        var table = TextTable(["dropped", "consumer", "count", "seq", "log"], rightAligned: [2])
        for drop in drops {
            table.add([
                drop.entry.reason.rawValue, drop.entry.consumer ?? "-", drop.entry.count.grouped,
                drop.entry.seqs.map { Self.text($0) } ?? "-", drop.input,
            ])
        }
        return table.lines
    }

    /// `none`, or `4: 7-9, 12`; at most five ranges are shown.
    private static func text(_ count: Int64, _ ranges: some RandomAccessCollection<ClosedRange<Int64>>) -> String {
        guard count > 0 else { return "none" }
        let shown = ranges.prefix(5).map { text($0) }.joined(separator: ", ")
        return "\(count.grouped): \(shown)" + (ranges.count > 5 ? ", … (\((ranges.count - 5).grouped) more)" : "")
    }

    private static func text(_ range: ClosedRange<Int64>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
}

extension TimeSteps.Row {
    /// The start of the step: `2018-09-12T11:00Z`, `2018-09-12T13:00+02:00`, `2018-09-12`, or `2018-09`. Clamped to
    /// the range of times.
    func name(of step: TimeSteps.Step) -> String {
        let time = EventTime(clampedSeconds: local).rfc3339
        // Count from the end, since years may have more than four digits.
        return switch step {
        case .minute, .hour: time.dropLast(":00.000000Z".count) + zone
        case .day, .week: String(time.dropLast("T00:00:00.000000Z".count))
        case .month: String(time.dropLast("-01T00:00:00.000000Z".count))
        }
    }

    /// The time zone's offset from UTC, in the format of RFC 3339.
    private var zone: String {
        let minutes = (local - start) / 60
        guard minutes != 0 else { return "Z" }
        let digits = [minutes.magnitude / 60, minutes.magnitude % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        return (minutes < 0 ? "-" : "+") + digits.joined(separator: ":")
    }
}

/// Draws counts as a row of bars with eight heights.
enum Sparkline {
    private static let bars: [Character] = Array("▁▂▃▄▅▆▇█")

    /// One character per value; a space for 0. The highest value is a full bar.
    static func text(_ values: [Double]) -> String {
        let highest = values.max() ?? 0
        return String(
            values.map { value in
                value <= 0 ? " " : bars[min(bars.count - 1, Int(value / highest * Double(bars.count)))]
            })
    }
}
