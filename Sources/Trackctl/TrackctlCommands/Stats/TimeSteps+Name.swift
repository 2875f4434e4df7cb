internal import EventLog
internal import EventModel
internal import LogStatistics

extension TimeSteps.Row {
    /// When the step begins: `2018-09-12T11:00Z`, `2018-09-12T13:00+02:00`, `2018-09-12`, or `2018-09`.
    /// One that begins before the first time that there is, or after the last by the clocks of a zone, begins then.
    func name(of step: TimeSteps.Step) -> String {
        let time = EventTime(clampedSeconds: local).rfc3339
        // Counted from the end: years may have more than four digits.
        return switch step {
        case .minute, .hour: time.dropLast(":00.000000Z".count) + zone
        case .day, .week: String(time.dropLast("T00:00:00.000000Z".count))
        case .month: String(time.dropLast("-01T00:00:00.000000Z".count))
        }
    }

    /// How far the clocks are ahead of UTC, as RFC 3339 writes it.
    private var zone: String {
        let minutes = (local - start) / 60
        guard minutes != 0 else { return "Z" }
        let digits = [minutes.magnitude / 60, minutes.magnitude % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        return (minutes < 0 ? "-" : "+") + digits.joined(separator: ":")
    }
}
