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

/// Finds out after how many passes the batches come again as they were, so that the passes in between need not be read to be
/// counted.
struct PassRhythm {
    /// What was counted when a pass was over.
    struct Count {
        var lanes: [ReplayForecast.Lane]
        var bytes: Int
    }

    private var ends: [[BatchSize]: (pass: Int, count: Count)] = [:]

    /// Goes as far as possible in equal steps.
    ///
    /// - Parameters:
    ///   - pass: The pass that is over, from 1; gets the number of the last one that needs no reading.
    ///   - count: What was counted up to then; gets what was counted after those.
    ///   - openSizes: How far the open batches have come: the same again, and all that follows is the same again.
    /// - Throws: ``ReplayError``, `tooManyPasses`, if that is more than can be counted.
    mutating func step(_ pass: inout Int, _ count: inout Count, openSizes: [BatchSize], of passes: Int) throws {
        guard let earlier = ends.updateValue((pass, count), forKey: openSizes) else { return }
        ends = [:]
        let length = pass - earlier.pass
        let times = (passes - pass) / length
        // There are fewer batches than events, and fewer events than bytes.
        let (bytes, isTooMuch) = (count.bytes - earlier.count.bytes).multipliedReportingOverflow(by: times)
        let (sum, isTooMuchInAll) = count.bytes.addingReportingOverflow(bytes)
        guard !isTooMuch, !isTooMuchInAll else {
            throw ReplayError(.tooManyPasses, "so many passes cannot be counted: give fewer, or --loop forever")
        }
        pass += length * times
        count.bytes = sum
        for lane in count.lanes.indices {
            count.lanes[lane].events += (count.lanes[lane].events - earlier.count.lanes[lane].events) * times
            count.lanes[lane].batches += (count.lanes[lane].batches - earlier.count.lanes[lane].batches) * times
        }
    }
}
