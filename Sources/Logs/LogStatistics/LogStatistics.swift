package import EventModel
internal import EventQuery
package import Foundation
internal import Primitives

/// The statistics of logs. Memory grows with names, installs and gaps, up to a limit for each, not with events.
package struct LogStatistics: Sendable {
    /// The most event names that are counted separately; others are counted as ``otherEvents``.
    package static let maximumEvents = 1000
    /// The name of the remaining events.
    package static let otherEvents = "(other events)"
    /// The most installs whose numbers are checked.
    package static let maximumInstalls = 10_000

    /// The most ranges of numbers in all installs: 8 MiB.
    package static let maximumRanges = 1 << 19

    package private(set) var total = 0
    /// The bytes of the lines, without line feeds.
    package private(set) var bytes = 0
    package private(set) var firstTime: EventTime?
    package private(set) var lastTime: EventTime?
    /// Distinct users.
    package private(set) var users = UniqueCounter(exactLimit: 1 << 17)
    /// Distinct sessions.
    package private(set) var sessions = UniqueCounter(exactLimit: 1 << 17)
    /// Events over time.
    package private(set) var times = TimeHistogram()
    /// Events over clock time, if requested.
    package private(set) var clock: ClockHistogram?
    /// Events of installs beyond the limit.
    package private(set) var uncheckedEvents = 0
    /// Events by time step, if requested.
    package private(set) var steps: TimeSteps?
    private var eventPositions: [[UInt8]: Int] = [:]
    private var counted: [EventStatistics] = []
    private var installPlaces: [[UInt8]: Int] = [:]
    private var seen: [(id: String, statistics: InstallStatistics)] = []
    private var rangeCount = 0
    private let maximumRanges: Int

    /// Creates empty statistics.
    ///
    /// - Parameters:
    /// - step: The length of time steps; nil not to count by time.
    /// - zone: The time zone of the steps; nil for UTC.
    /// - isByClock: Whether to count in intervals whose length fits the log.
    /// - maximumRanges: The most ranges of numbers.
    package init(
        by step: TimeSteps.Step? = nil, in zone: TimeZone? = nil, isByClock: Bool = false,
        maximumRanges: Int = Self.maximumRanges
    ) {
        self.maximumRanges = maximumRanges
        steps = step.map { TimeSteps($0, zone: zone) }
        clock = isByClock ? ClockHistogram() : nil
    }

    package mutating func add(_ part: StatisticsPart) {
        guard part.lines > 0 else { return }
        total += part.lines
        firstTime = min(firstTime ?? EventTime(microseconds: .max), EventTime(microseconds: part.first))
        lastTime = max(lastTime ?? EventTime(microseconds: .min), EventTime(microseconds: part.last))
        for event in part.events { add(event) }
        for session in part.sessions { sessions.insert(session) }
        let positions = part.installs.map { position(ofInstall: $0) }
        for run in part.runs {
            if let position = positions[run.install] {
                rangeCount -= seen[position].statistics.rangeCount
                seen[position].statistics.add(run.seqs)
                rangeCount += seen[position].statistics.rangeCount
                // Check before the next range is added, since growing the array takes twice the memory.
                if rangeCount >= maximumRanges { forgetRanges() }
            } else {
                uncheckedEvents += run.seqs.count
            }
        }
    }

    /// Halves the number of ranges of each install.
    private mutating func forgetRanges() {
        for position in seen.indices { seen[position].statistics.forget() }
        rangeCount = seen.reduce(0) { $0 + $1.statistics.rangeCount }
    }

    private mutating func add(_ part: StatisticsPart.Event) {
        bytes += part.bytes
        for user in part.users { users.insert(user) }
        for (second, count) in part.seconds {
            times.add(count, second: second)
            clock?.add(count, second: second)
        }
        let position = position(ofEvent: part.name)
        counted[position].add(part)
        steps?.add(part.seconds, of: counted[position].name)
    }

    private mutating func position(ofEvent name: [UInt8]) -> Int {
        let isFull = counted.count >= Self.maximumEvents
        if let position = eventPositions[name] { return position }
        let key = isFull ? Array(Self.otherEvents.utf8) : name
        if isFull, let position = eventPositions[key] { return position }
        eventPositions[key] = counted.count
        counted.append(
            EventStatistics(
                name: EventLine.text(key) ?? String(decoding: key, as: UTF8.self),
                clock: clock.map { _ in ClockHistogram() }))
        return counted.count - 1
    }

    private mutating func position(ofInstall id: [UInt8]) -> Int? {
        if let position = installPlaces[id] { return position }
        guard seen.count < Self.maximumInstalls else { return nil }
        installPlaces[id] = seen.count
        seen.append((EventLine.text(id) ?? String(decoding: id, as: UTF8.self), InstallStatistics()))
        return seen.count - 1
    }

    /// The events, the most frequent first; equally frequent ones by name.
    package var events: [EventStatistics] {
        counted.sorted { left, right in
            left.count != right.count
                ? left.count > right.count : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
    }

    /// The count of missing numbers in all installs, at most 2^53 − 1.
    package var missing: Int64 { seen.map { SaturatingCount($0.statistics.missing) }.sum.value }

    /// The installs, sorted by id.
    package var installs: [(id: String, statistics: InstallStatistics)] {
        seen.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }
}
