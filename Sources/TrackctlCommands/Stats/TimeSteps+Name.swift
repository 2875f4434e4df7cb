internal import EventLog
internal import LogStatistics

extension TimeSteps.Row {
    /// When the step begins: `2018-09-12T11:00Z`, `2018-09-12T13:00+02:00`, `2018-09-12`, or `2018-09`.
    func name(of step: TimeSteps.Step) -> String {
        let time = EventTime(seconds: local).rfc3339
        return switch step {
        case .minute, .hour: time.prefix(16) + zone
        case .day, .week: String(time.prefix(10))
        case .month: String(time.prefix(7))
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
