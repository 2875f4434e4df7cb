internal import EventQuery
package import JSONLines

/// What users did over time: sessions, returns, and ways through funnels. Memory is flat for any number of them.
package struct Journeys: Sendable {
    package private(set) var sessions = SessionStatistics()
    package private(set) var retention = RetentionStatistics()
    /// In the order in which they were asked for.
    package private(set) var funnels: [FunnelStatistics]

    /// Makes an empty one.
    package init(_ funnels: [FunnelPlan]) { self.funnels = funnels.map { FunnelStatistics($0) } }

    /// Adds what further lines show.
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

/// Who did something when, and which steps of funnels it was: of some lines, to be added to ``Journeys``.
package struct JourneyPart: Sendable {
    /// A line that takes steps of a funnel.
    struct Match: Sendable {
        let line: Int
        let funnel: Int
        /// A bit for each step, the first step's the lowest.
        let steps: UInt32
    }

    /// A hash for each line.
    var users: [UInt64] = []
    /// A hash for each line.
    var sessions: [UInt64] = []
    /// For each line, in microseconds since 1970.
    var times: [Int64] = []
    /// In the order of the lines.
    var matches: [Match] = []
}

/// Makes parts of lines, for one thread.
package final class JourneyCounter {
    private let scanner: EventLineScanner
    private let funnels: [FunnelPlan]
    private var part = JourneyPart()

    /// Starts with nothing.
    package init(_ funnels: [FunnelPlan]) {
        self.funnels = funnels
        let members = funnels.flatMap(\.steps).map(\.members)
        scanner = EventLineScanner(members.reduce(StatisticsCounter.members) { $0.union($1) })
    }

    /// Adds a line.
    ///
    /// - Throws: `JSONSyntaxError` for a line that ``StatisticsCounter`` refuses, too; nothing of it is counted.
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

    /// What was added since the last time.
    package func takePart() -> JourneyPart {
        defer { part = JourneyPart() }
        return part
    }
}

/// Values by the hashes of their keys, for at most so many keys. When there are more, keys are left out by their hashes:
/// half of them, then half of the rest, and so on. What is known of a key that stays is whole, whenever it came, so that
/// each stands for ``scale`` keys.
struct HashSample<Value: Sendable>: Sendable {
    private static var maximumHalvings: Int { 62 }

    private let limit: Int
    private var kept: [UInt64: Value] = [:]
    private var halvings = 0

    /// - Parameter limit: How many keys are kept at most; at least 4.
    init(limit: Int) { self.limit = max(4, limit) }

    /// How many keys each one that was kept stands for: a power of two.
    var scale: Int { 1 << halvings }

    /// What is known of the keys that were kept, in no order.
    var values: some Collection<Value> { kept.values }

    /// Changes what is known of a key, unless it is left out.
    ///
    /// - Parameter first: What is known of a key that is new; nil to leave it unknown.
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
