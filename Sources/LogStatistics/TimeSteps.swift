/// How many events of each name there were in each step of time, exactly.
package struct TimeSteps: Sendable {
    /// Steps begin at full minutes, hours or days of UTC.
    package enum Step: String, CaseIterable, Sendable {
        case minute, hour, day

        /// In seconds.
        package var length: Int64 {
            switch self {
            case .minute: 60
            case .hour: 3600
            case .day: 86_400
            }
        }
    }

    /// Past so many counts no further step is begun.
    package static let maximumCounts = 200_000

    private struct Key: Hashable {
        let start: Int64
        let event: String
    }

    package let step: Step
    /// Events that are in no step, because there were too many steps.
    package private(set) var uncounted = 0
    private var counts: [Key: Int] = [:]

    init(_ step: Step) { self.step = step }

    mutating func add(_ seconds: [(second: Int64, count: Int)], of event: String) {
        for (second, count) in seconds {
            let key = Key(start: TimeHistogram.floorDivide(second, step.length) * step.length, event: event)
            if counts[key] == nil, counts.count >= Self.maximumCounts {
                uncounted += count
            } else {
                counts[key, default: 0] += count
            }
        }
    }

    /// In the order of time, then of names; steps without events are left out.
    package var rows: [(start: Int64, event: String, count: Int)] {
        counts.map { ($0.key.start, $0.key.event, $0.value) }.sorted { left, right in
            left.0 != right.0 ? left.0 < right.0 : left.1.utf8.lexicographicallyPrecedes(right.1.utf8)
        }
    }
}
