internal import EventLog
internal import EventModel
internal import Foundation
internal import LogReplay
internal import TextRendering

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
