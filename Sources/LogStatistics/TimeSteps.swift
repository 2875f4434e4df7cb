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

    /// Past so many counts no further step is begun: what a hash table of 2^17 places holds.
    package static let maximumCounts = 3 << 15

    /// How many events of a name there were in a step.
    package struct Row: Sendable {
        /// In seconds since 1970.
        package let start: Int64
        package let event: String
        package let count: Int
    }

    private struct Key: Hashable {
        let start: Int64
        /// The name's place.
        let event: Int32
    }

    package let step: Step
    /// Events that are in no step, because there were too many steps.
    package private(set) var uncounted = 0
    private var counts: [Key: Int] = [:]
    private var names: [String] = []
    private var places: [String: Int32] = [:]

    init(_ step: Step) { self.step = step }

    mutating func add(_ seconds: [(second: Int64, count: Int)], of event: String) {
        let place = place(of: event)
        for (second, count) in seconds {
            let key = Key(start: TimeHistogram.floorDivide(second, step.length) * step.length, event: place)
            if counts[key] == nil, counts.count >= Self.maximumCounts {
                uncounted += count
            } else {
                counts[key, default: 0] += count
            }
        }
    }

    private mutating func place(of event: String) -> Int32 {
        if let place = places[event] { return place }
        let place = Int32(names.count)
        places[event] = place
        names.append(event)
        return place
    }

    /// In the order of time, then of names; steps without events are left out. Each row is made when it is asked for.
    package var rows: some Collection<Row> {
        let ranks = names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
            .enumerated().reduce(into: Array(repeating: 0, count: names.count)) { $0[$1.element] = $1.offset }
        let keys = counts.keys.sorted { left, right in
            left.start != right.start ? left.start < right.start : ranks[Int(left.event)] < ranks[Int(right.event)]
        }
        return keys.lazy.map { Row(start: $0.start, event: names[Int($0.event)], count: counts[$0] ?? 0) }
    }
}
