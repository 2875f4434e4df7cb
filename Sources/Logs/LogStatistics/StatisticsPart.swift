internal import EventModel
internal import EventQuery
internal import Foundation
package import JSONLines

/// The statistics of some lines, to be added to a ``LogStatistics``.
package struct StatisticsPart: Sendable {
    /// The statistics of an event's lines.
    struct Event: Sendable {
        let name: [UInt8]
        var count = 0
        var bytes = 0
        var longest = 0
        /// A hash for each line.
        var users: [UInt64] = []
        /// Seconds since 1970 with their number of lines; consecutive entries have different seconds.
        var seconds: [(second: Int64, count: Int)] = []
    }

    /// Consecutive numbers.
    struct Run: Sendable {
        let install: Int
        var seqs: ClosedRange<Int64>
    }

    var events: [Event] = []
    var installs: [[UInt8]] = []
    var runs: [Run] = []
    /// A hash for each line.
    var sessions: [UInt64] = []
    /// In microseconds since 1970.
    var first = Int64.max
    var last = Int64.min

    package var lines: Int { sessions.count }
}

/// Creates parts from lines, on one thread.
package final class StatisticsCounter {
    static let members: EventLineScanner.Members = [.installID, .seq, .sessionID, .userID, .time]
    private static let scanner = EventLineScanner(members)

    private var part = StatisticsPart()
    private var names = ByteTable()
    private var installs = ByteTable()
    /// By index of the tables: the index in the part, or -1 if it is not in the part.
    private var eventPositions: [Int] = []
    private var installPlaces: [Int] = []

    /// Starts empty.
    package init() {}

    /// Adds a line.
    ///
    /// - Throws: `JSONSyntaxError` for a line without an event; nothing is counted.
    package func add(_ line: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        let event = try Self.scanner.scan(line)
        let (seq, time) = try Self.numberAndTime(of: event)
        part.first = min(part.first, time)
        part.last = max(part.last, time)
        part.sessions.append(ByteHash.of(event.raw(event.sessionID)))
        addSeq(seq, install: event.raw(event.installID))
        let name = names.index(of: event.raw(event.name))
        if name == eventPositions.count { eventPositions.append(-1) }
        if eventPositions[name] < 0 {
            eventPositions[name] = part.events.count
            part.events.append(StatisticsPart.Event(name: names.keys[name]))
        }
        part.events[eventPositions[name]].add(
            line.count, user: ByteHash.of(event.raw(event.userID)), second: TimeHistogram.floorDivide(time, 1_000_000))
    }

    /// The number, and the time in microseconds since 1970, which are required for counting.
    @inline(__always)
    static func numberAndTime(of event: EventLine) throws(JSONSyntaxError) -> (seq: Int64, time: Int64) {
        guard let seq = event.seq, let time = event.time?.microseconds else {
            throw JSONSyntaxError(
                offset: 0,
                reason:
                    "not a tracking container: '\(event.seq == nil ? "seq" : "time")' is missing or of the wrong type")
        }
        return (seq, time)
    }

    @inline(__always)
    private func addSeq(_ seq: Int64, install bytes: UnsafeRawBufferPointer) {
        let install = installs.index(of: bytes)
        if install == installPlaces.count { installPlaces.append(-1) }
        if installPlaces[install] < 0 {
            installPlaces[install] = part.installs.count
            part.installs.append(installs.keys[install])
        }
        let position = installPlaces[install]
        let last = part.runs.count - 1
        if last >= 0, part.runs[last].install == position, part.runs[last].seqs.upperBound == seq - 1 {
            part.runs[last].seqs = part.runs[last].seqs.lowerBound...seq
        } else {
            part.runs.append(StatisticsPart.Run(install: position, seqs: seq...seq))
        }
    }

    /// Returns the part so far, and starts a new one.
    package func takePart() -> StatisticsPart {
        for position in eventPositions.indices { eventPositions[position] = -1 }
        for position in installPlaces.indices { installPlaces[position] = -1 }
        // Bounds the memory for names.
        if names.keys.count > 2000 {
            names = ByteTable()
            eventPositions = []
        }
        if installs.keys.count > 2000 {
            installs = ByteTable()
            installPlaces = []
        }
        defer { part = StatisticsPart() }
        return part
    }
}

extension StatisticsPart.Event {
    @inline(__always)
    fileprivate mutating func add(_ length: Int, user: UInt64, second: Int64) {
        count += 1
        bytes += length
        longest = max(longest, length)
        users.append(user)
        if let last = seconds.last, last.second == second {
            seconds[seconds.count - 1].count += 1
        } else {
            seconds.append((second, 1))
        }
    }
}
