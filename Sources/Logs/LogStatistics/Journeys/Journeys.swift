internal import EventQuery
package import JSONLines

/// The behavior of users over time: sessions, retention and funnels. Memory is constant.
package struct Journeys: Sendable {
    package private(set) var sessions = SessionStatistics()
    package private(set) var retention = RetentionStatistics()
    /// In the order of the requests.
    package private(set) var funnels: [FunnelStatistics]

    /// Creates empty statistics.
    package init(_ funnels: [FunnelPlan]) { self.funnels = funnels.map { FunnelStatistics($0) } }

    package mutating func add(_ part: JourneyPart) {
        for line in part.times.indices {
            sessions.add(session: part.sessions[line], time: part.times[line])
            retention.add(user: part.users[line], time: part.times[line])
        }
        for match in part.matches {
            let walkers = funnels[match.funnel].plan.walker == .user ? part.users : part.sessions
            funnels[match.funnel].add(match.steps, walker: walkers[match.line], time: part.times[match.line])
        }
    }
}

/// The users, sessions, times and funnel steps of some lines, to be added to ``Journeys``.
package struct JourneyPart: Sendable {
    /// A line that matches steps of a funnel.
    struct Match: Sendable {
        let line: Int
        let funnel: Int
        /// The steps as a bit mask; the lowest bit is the first step.
        let steps: UInt32
    }

    /// A hash for each line.
    var users: [UInt64] = []
    /// A hash for each line.
    var sessions: [UInt64] = []
    /// In microseconds since 1970, for each line.
    var times: [Int64] = []
    /// In line order.
    var matches: [Match] = []
}

/// Creates parts from lines, on one thread.
package final class JourneyCounter {
    private let scanner: EventLineScanner
    private let funnels: [FunnelPlan]
    private var part = JourneyPart()

    /// Starts empty.
    package init(_ funnels: [FunnelPlan]) {
        self.funnels = funnels
        let members = funnels.flatMap(\.steps).map(\.members)
        scanner = EventLineScanner(members.reduce(StatisticsCounter.members) { $0.union($1) })
    }

    /// Adds a line.
    ///
    /// - Throws: `JSONSyntaxError` for a line that ``StatisticsCounter`` also rejects; nothing is counted.
    package func add(_ line: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        let event = try scanner.scan(line)
        let time = try StatisticsCounter.numberAndTime(of: event).time
        for (index, funnel) in funnels.enumerated() {
            let steps = funnel.steps.enumerated().reduce(UInt32(0)) {
                $1.element.matches(event) ? $0 | 1 << $1.offset : $0
            }
            guard steps != 0 else { continue }
            part.matches.append(JourneyPart.Match(line: part.times.count, funnel: index, steps: steps))
        }
        part.users.append(ByteHash.of(event.raw(event.userID)))
        part.sessions.append(ByteHash.of(event.raw(event.sessionID)))
        part.times.append(time)
    }

    /// Returns the part so far, and starts a new one.
    package func takePart() -> JourneyPart {
        defer { part = JourneyPart() }
        return part
    }
}

/// A sample of values by the hashes of their keys, limited in size. Each time the limit is exceeded, half of the keys
/// are dropped, chosen by their hashes. The values of the remaining keys are complete, so each key represents ``scale``
/// keys.
struct HashSample<Value: Sendable>: Sendable {
    private static var maximumHalvings: Int { 62 }

    private let limit: Int
    private var kept: [UInt64: Value] = [:]
    private var halvings = 0

    /// - Parameter limit: The most keys, at least 4.
    init(limit: Int) { self.limit = max(4, limit) }

    /// The number of keys that each kept key represents: a power of two.
    var scale: Int { 1 << halvings }

    /// The values of the kept keys, unordered.
    var values: some Collection<Value> { kept.values }

    /// Updates the value of a key, unless the key was dropped.
    ///
    /// - Parameter first: The initial value of a new key; nil not to add it.
    @inline(__always)
    mutating func update(_ hash: UInt64, first: @autoclosure () -> Value?, _ change: (inout Value) -> Void) {
        guard hash >> UInt64(64 - halvings) == 0 else { return }
        if let index = kept.index(forKey: hash) {
            change(&kept.values[index])
        } else if var value = first() {
            change(&value)
            kept[hash] = value
            if kept.count > limit { thin() }
        }
    }

    private mutating func thin() {
        while kept.count > limit, halvings < Self.maximumHalvings {
            halvings += 1
            let shift = UInt64(64 - halvings)
            kept = kept.filter { $0.key >> shift == 0 }
        }
    }
}
