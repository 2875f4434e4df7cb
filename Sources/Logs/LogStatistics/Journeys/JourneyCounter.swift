internal import EventLog
internal import EventModel
internal import EventQuery
package import JSONLines

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
