internal import CommandSupport
internal import EventLog
internal import EventModel
internal import Foundation
internal import LogFiles
internal import LogReplay
internal import Primitives
internal import TextRendering

/// Shows the progress of a replay on a terminal every two seconds.
struct ReplayTicker {
    private let task: Task<Void, Never>?

    /// Starts showing progress if standard error is a terminal.
    init(_ tally: ReplayTally, isPaced: Bool, isRemote: Bool) {
        guard StandardStreams.current.isErrorTerminal else {
            task = nil
            return
        }
        task = Task {
            while await ContinuousClock().sleepUnlessCancelled(for: .seconds(2)) {  // cancelled: the replay is over
                let figures = tally.figures
                let events = figures.lateness.count
                guard let speed = figures.speed(isPaced: isPaced, isRemote: isRemote) else { continue }
                StandardError.write("\r\u{1B}[K\(events.grouped) events; \(speed)")
            }
        }
    }

    /// Stops and clears the progress from the terminal.
    func stop() async {
        guard let task else { return }
        task.cancel()
        await task.value
        StandardError.write("\r\u{1B}[K")
    }
}

extension ReplayFigures {
    /// The outcome of the events, as a phrase.
    func summary(for destination: ReplayDestination) -> String {
        guard destination.takesLines else { return result.summary }
        let events = result.kept + refused
        var text = "\(events.grouped) event\(events == 1 ? "" : "s"): \(result.kept.grouped) delivered in "
        text += "\(batches.grouped) batch\(batches == 1 ? "" : "es") of \(bytes.grouped) bytes in total, "
        text += "\(refused.grouped) refused"
        if retries > 0 { text += "; \(retries.grouped) \(retries == 1 ? "retry" : "retries")" }
        if alreadyDone > 0 { text += "; \(alreadyDone.grouped) already delivered before" }
        return text
    }

    /// The speed; with a pace, also the lateness.
    func speed(isPaced: Bool, isRemote: Bool) -> String? {
        let events = lateness.count
        let time = (isPaced ? lastBegin : lastAnswer) - start
        guard events > 1, time > .zero else { return nil }
        // With a pace, the time ends when the last event is sent: N events have N - 1 intervals.
        let rate = Double(isPaced ? events - 1 : events) / (time / .seconds(1))
        var text = "\(Int64(rate.rounded()).grouped) events/s"
        if isPaced { text += "; late by \(Self.quantiles(lateness))" }
        if isRemote, answerTimes.count > 0 { text += "; responses took \(Self.quantiles(answerTimes))" }
        return text
    }

    private static func quantiles(_ histogram: LatencyHistogram) -> String {
        "p50 \(histogram.quantile(0.5).short), p99 \(histogram.quantile(0.99).short), max \(histogram.maximum.short)"
    }
}

extension ReplayForecast {
    /// The forecast of a dry run.
    ///
    /// - Parameter isPaced: Whether there is a pace, which determines the duration.
    func text(isPaced: Bool, isEndless: Bool) -> [String] {
        var lines = [
            "events    \(events.grouped)" + (isEndless ? " in each pass" : ""),
            "bytes     \(bytes.grouped)",
            "batches   \(batches.grouped)",
        ]
        if let times {
            lines.append("first     \(times.lowerBound.rfc3339)")
            lines.append("last      \(times.upperBound.rfc3339)")
        }
        lines.append("duration  \(isPaced ? duration.short : "as fast as the target accepts events")")
        if alreadyDone > 0 { lines.append("done      \(alreadyDone.grouped) events, in an earlier run") }
        guard lanes.count > 1 else { return lines }
        return lines
            + lanes.enumerated().map { number, lane in
                let share = events == 0 ? 0 : Double(lane.events) / Double(events) * 100
                return "lane \(number)    \(lane.events.grouped) events (\(Int(share.rounded()))%)"
            }
    }
}

extension ReplayResult {
    /// The number of events processed.
    var total: Int { kept + renumbered + known }

    /// `20,103 events: 20,103 kept, 0 renumbered, 0 known (skipped)`.
    var summary: String {
        let events = "\(total.grouped) event\(total == 1 ? "" : "s")"
        let counts = "\(kept.grouped) kept, \(renumbered.grouped) renumbered, \(known.grouped) known (skipped)"
        return "\(events): \(counts)" + (kept + renumbered == 0 ? "; nothing new" : "")
    }
}
