internal import EventModel
internal import Foundation

/// Counts the events of each name in each time step, exactly.
package struct TimeSteps: Sendable {
    /// Steps start at full minutes, hours or days, on Mondays, or on the first of a month.
    package enum Step: String, CaseIterable, Sendable {
        case minute, hour, day, week, month
    }

    /// The events of a name in a step.
    package struct Row: Sendable {
        /// The start of the step, in seconds since 1970.
        package let start: Int64
        /// The local time of the start, as seconds since 1970 of a clock without a time zone.
        package let local: Int64
        package let event: String
        package let count: Int
    }

    /// The most counts, which fit a hash table with 2^17 slots.
    package static let maximumCounts = 3 << 15

    private struct Key: Hashable {
        let start: StepClock.Start
        /// The index of the name.
        let event: Int32
    }

    package let step: Step
    /// Events beyond the limit, which are in no step.
    package private(set) var uncounted = 0
    private var clock: StepClock
    private var counts: [Key: Int] = [:]
    private var names: [String] = []
    private var positions: [String: Int32] = [:]

    /// - Parameter zone: The time zone of the steps; nil for UTC.
    init(_ step: Step, zone: TimeZone?) {
        self.step = step
        clock = StepClock(step, zone: zone)
    }

    mutating func add(_ seconds: [(second: Int64, count: Int)], of event: String) {
        let position = position(of: event)
        for (second, count) in seconds {
            let key = Key(start: clock.start(of: second), event: position)
            if counts[key] == nil, counts.count >= Self.maximumCounts {
                uncounted += count
            } else {
                counts[key, default: 0] += count
            }
        }
    }

    private mutating func position(of event: String) -> Int32 {
        if let position = positions[event] { return position }
        let position = Int32(names.count)
        positions[event] = position
        names.append(event)
        return position
    }

    /// By time, then by name; without empty steps. Rows are created lazily.
    package var rows: some Collection<Row> {
        let ranks = names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
            .enumerated().reduce(into: Array(repeating: 0, count: names.count)) { $0[$1.element] = $1.offset }
        let keys = counts.keys.sorted { left, right in
            left.start.second != right.start.second
                ? left.start.second < right.start.second : ranks[Int(left.event)] < ranks[Int(right.event)]
        }
        return keys.lazy.map { key in
            Row(
                start: key.start.second, local: key.start.local, event: names[Int(key.event)], count: counts[key] ?? 0)
        }
    }
}

/// Finds the time step of a second in a time zone.
struct StepClock: Sendable {
    struct Start: Hashable, Sendable {
        /// In seconds since 1970.
        let second: Int64
        /// The local time, as seconds since 1970 of a clock without a time zone.
        let local: Int64
    }

    /// Since 1970, no time zone has changed its offset within an aligned quarter of an hour.
    private static let block: Int64 = 900

    private let step: TimeSteps.Step
    /// Nil for UTC.
    private let zone: TimeZone?
    private var lastOffset: (block: Int64, seconds: Int64)?

    init(_ step: TimeSteps.Step, zone: TimeZone?) {
        self.step = step
        self.zone = zone
    }

    mutating func start(of second: Int64) -> Start {
        let offset = offset(at: second)
        let local = second + offset
        let day: Int64 = 86_400
        switch step {
        case .minute, .hour:
            // An hour that is repeated when clocks are set back becomes two steps.
            let start = Self.floor(local, to: step == .minute ? 60 : 3600)
            return Start(second: start - offset, local: start)
        case .day: return begin(Self.floor(local, to: day))
        case .week: return begin(Self.floor(local - ClockHistogram.origin, to: 7 * day) + ClockHistogram.origin)
        case .month:
            let start = Self.floor(local, to: day)
            return begin(start - (CalendarDate(days: start / day).day - 1) * day)
        }
    }

    /// The step that starts at a local time. If clocks skip that time, starts at the next one.
    private mutating func begin(_ local: Int64) -> Start {
        let near = local - offset(at: local)
        let start = local - offset(at: near)
        return Start(second: start + offset(at: start) < local ? max(near, start) : start, local: local)
    }

    /// The offset from UTC in seconds.
    private mutating func offset(at second: Int64) -> Int64 {
        guard let zone else { return 0 }
        let block = TimeHistogram.floorDivide(second, Self.block)
        if let lastOffset, lastOffset.block == block { return lastOffset.seconds }
        let seconds = Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
        lastOffset = (block, seconds)
        return seconds
    }

    private static func floor(_ second: Int64, to length: Int64) -> Int64 {
        TimeHistogram.floorDivide(second, length) * length
    }
}
