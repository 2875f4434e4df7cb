internal import EventLog
internal import EventModel
internal import LogStatistics
internal import TextRendering

/// Figures as the page writes them.
enum FigureText {
    /// `2018-09-12 11:54:07`.
    static func time(_ time: EventTime) -> String {
        String(time.rfc3339.prefix(19)).replacing("T", with: " ")
    }

    /// The same of seconds since 1970; a stretch may begin before the first time that there is.
    static func time(second: Int64) -> String { time(EventTime(clampedSeconds: second)) }

    /// `63.6%`; `-` of nothing.
    static func percent(_ count: Int, of total: Int) -> String {
        guard total > 0 else { return "-" }
        let tenths = Int((1000 * Double(count) / Double(total)).rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// `about 400,123` for an estimate.
    static func count(_ counter: UniqueCounter) -> String {
        (counter.isApproximate ? "about " : "") + counter.count.grouped
    }

    /// `45 s`, `3 min 20 s`, `2 h`: the two largest units that are not zero.
    static func duration(seconds: Int) -> String {
        let units = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
        var rest = seconds
        let parts = units[first...].prefix(2).compactMap { name, length -> String? in
            defer { rest %= length }
            return rest >= length ? "\((rest / length).grouped) \(name)" : nil
        }
        return parts.joined(separator: " ")
    }

    /// What to say of figures that a sample gave; nil for all.
    static func sampleNote(_ what: String, scale: Int) -> String? {
        guard scale > 1 else { return nil }
        return "There are so many \(what) that these figures are estimates: of a sample of one in \(scale.grouped)."
    }
}
