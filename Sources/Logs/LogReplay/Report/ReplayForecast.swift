package import EventModel
internal import EventQuery

/// The forecast of a dry run.
package struct ReplayForecast: Sendable {
    /// The share of a lane.
    package struct Lane: Sendable {
        package var events = 0
        package var batches = 0
    }

    /// The bytes left to send: lines with their line feeds.
    package private(set) var bytes = 0
    package private(set) var lanes: [Lane]
    package private(set) var times: ClosedRange<EventTime>?
    /// The number of events done by an earlier run.
    package private(set) var alreadyDone = 0
    /// The duration if no event is late.
    package private(set) var duration = Duration.zero

    package var events: Int { lanes.reduce(0) { $0 + $1.events } }
    package var batches: Int { lanes.reduce(0) { $0 + $1.batches } }

    /// Reads the events of as many passes as are needed for the forecast.
    ///
    /// - Throws: Errors of the source; ``ReplayError``: `inputChanged`, `tooManyPasses`.
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
            // The length of shifted times, and the rounding of due times, can differ between passes.
            if plan.pace == .unpaced, !plan.rewriting.shiftsTimes, feed.isPastEarlierRun {
                var counted = PassRhythm.Count(lanes: lanes, bytes: bytes)
                try rhythm.step(&pass, &counted, openSizes: feed.openSizes, of: passes)
                lanes = counted.lanes
                bytes = counted.bytes
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

/// Detects when the batches of passes repeat, so that the passes in between can be counted without reading them.
struct PassRhythm {
    /// The counts at the end of a pass.
    struct Count {
        var lanes: [ReplayForecast.Lane]
        var bytes: Int
    }

    private var ends: [[BatchSize]: (pass: Int, count: Count)] = [:]

    /// Skips as many repeating passes as possible.
    ///
    /// - Parameters:
    /// - pass: The pass that has ended, from 1. Set to the last pass that need not be read.
    /// - count: The counts so far. Updated for the skipped passes.
    /// - openSizes: The sizes of the open batches. If they repeat, everything after them repeats.
    /// - Throws: ``ReplayError``, `tooManyPasses`, if the counts overflow.
    mutating func step(_ pass: inout Int, _ count: inout Count, openSizes: [BatchSize], of passes: Int) throws {
        guard let earlier = ends.updateValue((pass, count), forKey: openSizes) else { return }
        ends = [:]
        let length = pass - earlier.pass
        let times = (passes - pass) / length
        // Batches and events are fewer than bytes, so only bytes can overflow.
        let (bytes, isTooMuch) = (count.bytes - earlier.count.bytes).multipliedReportingOverflow(by: times)
        let (sum, isTooMuchInAll) = count.bytes.addingReportingOverflow(bytes)
        guard !isTooMuch, !isTooMuchInAll else {
            throw ReplayError(
                .tooManyPasses, "--loop would produce more than \(Int.max) bytes: use fewer passes, or forever")
        }
        pass += length * times
        count.bytes = sum
        for lane in count.lanes.indices {
            count.lanes[lane].events += (count.lanes[lane].events - earlier.count.lanes[lane].events) * times
            count.lanes[lane].batches += (count.lanes[lane].batches - earlier.count.lanes[lane].batches) * times
        }
    }
}
