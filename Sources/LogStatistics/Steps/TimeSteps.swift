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

    /// Past so many counts no further step is begun.
    package static let maximumCounts = 200_000

    private struct Key: Hashable {
        let start: StepClock.Start
        let event: String
    }

    package let step: Step
    /// Events that are in no step, because there were too many steps.
    package private(set) var uncounted = 0
    private var clock: StepClock
    private var counts: [Key: Int] = [:]

    /// - Parameter zone: Whose clocks and calendar count; nil for UTC.
    init(_ step: Step, zone: TimeZone?) {
        self.step = step
        clock = StepClock(step, zone: zone)
    }

    mutating func add(_ seconds: [(second: Int64, count: Int)], of event: String) {
        for (second, count) in seconds {
            let key = Key(start: clock.start(of: second), event: event)
            if counts[key] == nil, counts.count >= Self.maximumCounts {
                uncounted += count
            } else {
                counts[key, default: 0] += count
            }
        }
    }

    /// In the order of time, then of names; steps without events are left out.
    package var rows: [Row] {
        counts.map { Row(start: $0.key.start.second, local: $0.key.start.local, event: $0.key.event, count: $0.value) }
            .sorted { left, right in
                left.start != right.start
                    ? left.start < right.start : left.event.utf8.lexicographicallyPrecedes(right.event.utf8)
            }
    }
}
