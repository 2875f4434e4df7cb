internal import CommandSupport
internal import EventLog
internal import EventModel
internal import Foundation
internal import LogFiles
internal import LogReplay
internal import TextRendering

/// Shows on a terminal every two seconds how a replay goes.
struct ReplayTicker {
    private let task: Task<Void, Never>?

    /// Starts to show; does nothing if standard error is no terminal.
    init(_ tally: ReplayTally, isPaced: Bool, isRemote: Bool) {
        guard StandardStreams.current.isErrorTerminal else {
            task = nil
            return
        }
        task = Task {
            while (try? await Task.sleep(for: .seconds(2))) != nil {  // thrown: it is over
                let figures = tally.figures
                let events = figures.lateness.count
                guard let speed = figures.speed(isPaced: isPaced, isRemote: isRemote) else { continue }
                StandardError.write("\r\u{1B}[K\(events.grouped) events; \(speed)")
            }
        }
    }

    /// Takes it off the terminal.
    func stop() async {
        guard let task else { return }
        task.cancel()
        await task.value
        StandardError.write("\r\u{1B}[K")
    }
}

extension ReplayFigures {
    /// What became of the events, in a sentence without an end.
    func summary(for destination: ReplayDestination) -> String {
        guard destination.takesLines else { return result.summary }
        let events = result.kept + refused
        var text = "\(events.grouped) event\(events == 1 ? "" : "s"): \(result.kept.grouped) delivered in "
        text += "\(batches.grouped) batch\(batches == 1 ? "" : "es") of \(bytes.grouped) bytes in all, "
        text += "\(refused.grouped) refused"
        if retries > 0 { text += "; sent again \(retries.grouped) time\(retries == 1 ? "" : "s")" }
        if alreadyDone > 0 { text += "; \(alreadyDone.grouped) had been done before" }
        return text
    }

    /// How fast it was; with the lateness if there was a plan.
    func speed(isPaced: Bool, isRemote: Bool) -> String? {
        let events = lateness.count
        let time = (isPaced ? lastBegin : lastAnswer) - start
        guard events > 1, time > .zero else { return nil }
        // By a plan the time ends when the last event is sent: there is one distance less than there are events.
        let rate = Double(isPaced ? events - 1 : events) / (time / .seconds(1))
        var text = "\(Int64(rate.rounded()).grouped) events/s"
        if isPaced { text += "; late by \(Self.quantiles(lateness))" }
        if isRemote, answerTimes.count > 0 { text += "; answers took \(Self.quantiles(answerTimes))" }
        return text
    }

    private static func quantiles(_ histogram: LatencyHistogram) -> String {
        "p50 \(histogram.quantile(0.5).short), p99 \(histogram.quantile(0.99).short), max \(histogram.maximum.short)"
    }
}

extension ReplayForecast {
    /// What a replay would do, as a person reads it.
    ///
    /// - Parameter isPaced: Whether there is a plan, and with it a duration.
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
        lines.append("duration  \(isPaced ? duration.short : "as fast as the target takes them")")
        if alreadyDone > 0 { lines.append("done      \(alreadyDone.grouped) events, by the run before") }
        guard lanes.count > 1 else { return lines }
        return lines
            + lanes.enumerated().map { number, lane in
                let share = events == 0 ? 0 : Double(lane.events) / Double(events) * 100
                return "lane \(number)    \(lane.events.grouped) events (\(Int(share.rounded()))%)"
            }
    }
}

extension ReplayResult {
    /// How many events were looked at.
    var total: Int { kept + renumbered + known }

    /// `20,103 events: 20,103 kept, 0 renumbered, 0 known (skipped)`.
    var summary: String {
        let events = "\(total.grouped) event\(total == 1 ? "" : "s")"
        let counts = "\(kept.grouped) kept, \(renumbered.grouped) renumbered, \(known.grouped) known (skipped)"
        return "\(events): \(counts)" + (kept + renumbered == 0 ? "; nothing new" : "")
    }
}
