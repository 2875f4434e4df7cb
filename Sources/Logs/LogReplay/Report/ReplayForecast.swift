internal import EventLog
package import EventModel
internal import EventQuery

/// What a replay would do.
package struct ReplayForecast: Sendable {
    /// A lane's share.
    package struct Lane: Sendable {
        package var events = 0
        package var batches = 0
    }

    /// Of what is left to send: lines with their line feeds.
    package private(set) var bytes = 0
    package private(set) var lanes: [Lane]
    /// The first and the last time of all events that were read.
    package private(set) var times: ClosedRange<EventTime>?
    /// How many events an earlier run had done.
    package private(set) var alreadyDone = 0
    /// How long it takes if nothing is late.
    package private(set) var duration = Duration.zero

    package var events: Int { lanes.reduce(0) { $0 + $1.events } }
    package var batches: Int { lanes.reduce(0) { $0 + $1.batches } }

    /// Reads all events of as many passes as differ.
    ///
    /// - Throws: What the source throws; ``ReplayError``: `inputChanged`, `tooManyPasses`.
    package init(_ plan: ReplayPlan, _ source: inout some ReplaySource, state: ReplayState) throws {
        lanes = Array(repeating: Lane(), count: plan.lanes)
        var feed = EventFeed(plan, state: state)
        var times: ClosedRange<EventTime>?
        var rhythm = PassRhythm()
        let passes = plan.passes ?? 1
        var pass = 1
        while true {
            var hasEvents = false
            while try source.next({ event throws(CannotRewrite) in
                try feed.add(event)
                hasEvents = true
                guard let time = event.line.time else { return }
                times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
            }) {
                count(try feed.takeCuts(), feed)
            }
            // A shifted time has more digits in one pass than in another; a plan rounds each moment.
            if plan.pace == .unpaced, !plan.rewriting.shiftsTimes, feed.isPastEarlierRun {
                var counted = PassRhythm.Count(lanes: lanes, bytes: bytes)
                try rhythm.step(&pass, &counted, openSizes: feed.openSizes, of: passes)
                (lanes, bytes) = (counted.lanes, counted.bytes)
            }
            guard hasEvents, pass < passes else { break }
            pass += 1
            try source.startAgain()
            feed.startAgain()
        }
        count(try feed.finish(), feed)
        self.times = times
        alreadyDone = feed.skipped
    }

    private mutating func count(_ cuts: [EventFeed.Cut], _ feed: EventFeed) {
        for cut in cuts {
            lanes[cut.batch.lane].events += cut.batch.count
            lanes[cut.batch.lane].batches += 1
            bytes += cut.batch.body.count
            duration = max(duration, .nanoseconds(cut.due - (feed.firstDue ?? 0)))
        }
    }
}
