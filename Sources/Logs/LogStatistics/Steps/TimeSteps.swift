internal import EventModel
internal import Foundation

/// How many events of each name there were in each step of time, exactly.
package struct TimeSteps: Sendable {
    /// Steps begin at full minutes, hours or days, on Mondays, or on the first of a month.
    package enum Step: String, CaseIterable, Sendable {
        case minute, hour, day, week, month
    }

    /// A step with events of a name.
    package struct Row: Sendable {
        /// When it begins, in seconds since 1970.
        package let start: Int64
        /// What the clocks of the zone show then, as seconds since 1970 of a clock without a zone.
        package let local: Int64
        package let event: String
        package let count: Int
    }

    /// Past so many counts no further step is begun: what a hash table of 2^17 places holds.
    package static let maximumCounts = 3 << 15

    private struct Key: Hashable {
        let start: StepClock.Start
        /// The name's place.
        let event: Int32
    }

    package let step: Step
    /// Events that are in no step, because there were too many steps.
    package private(set) var uncounted = 0
    private var clock: StepClock
    private var counts: [Key: Int] = [:]
    private var names: [String] = []
    private var positions: [String: Int32] = [:]

    /// - Parameter zone: Whose clocks and calendar count; nil for UTC.
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

    /// In the order of time, then of names; steps without events are left out. Each row is made when it is asked for.
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

/// Finds the step of time that a second is in, by the clocks and the calendar of a time zone.
struct StepClock: Sendable {
    /// The second that a step begins with.
    struct Start: Hashable, Sendable {
        /// Since 1970.
        let second: Int64
        /// What the clocks of the zone show then, as seconds since 1970 of a clock without a zone.
        let local: Int64
    }

    /// No zone changes its clocks within a quarter of an hour that begins at a multiple of its length, but before 1970.
    private static let block: Int64 = 900

    private let step: TimeSteps.Step
    /// Nil for UTC, whose clocks show what seconds say.
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
            // An hour that comes twice, when clocks are set back, is two steps.
            let start = Self.floor(local, to: step == .minute ? 60 : 3600)
            return Start(second: start - offset, local: start)
        case .day: return begin(Self.floor(local, to: day))
        case .week: return begin(Self.floor(local - ClockHistogram.origin, to: 7 * day) + ClockHistogram.origin)
        case .month:
            let start = Self.floor(local, to: day)
            return begin(start - (CalendarDate(days: start / day).day - 1) * day)
        }
    }

    /// The step that begins when clocks show this; where they are set forward over it, with what they show next.
    private mutating func begin(_ local: Int64) -> Start {
        let near = local - offset(at: local)
        let start = local - offset(at: near)
        return Start(second: start + offset(at: start) < local ? max(near, start) : start, local: local)
    }

    /// How many seconds the clocks are ahead of UTC.
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
