internal import LogStatistics
internal import ReportPages

/// The stretches of a histogram in words.
struct TimeAxis {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// Between two marks, in seconds. Beyond, lengths double.
    private static let steps: [Int64] = [
        1, 5, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 345_600, 604_800,
    ]

    private let clock: ClockHistogram

    init(_ clock: ClockHistogram) { self.clock = clock }

    /// How long a stretch is.
    var width: String { FigureText.duration(seconds: Int(clock.width)) }

    /// When each stretch begins.
    var names: [String] { clock.counts.indices.map { name(of: clock.start + Int64($0) * clock.width) } }

    /// `2018-09-12 11:54:07`, as far as it can differ.
    private func name(of second: Int64) -> String {
        let time = FigureText.time(second: second)
        return String(time.prefix(clock.width >= 86_400 ? 10 : clock.width >= 60 ? 16 : 19))
    }

    /// At full hours, days, or whatever fits.
    var marks: [StackedColumns.Mark] {
        let span = Int64(clock.counts.count) * clock.width
        var step = Self.steps.first { span / $0 <= Self.mostMarks($0) && $0 >= clock.width } ?? 1_209_600
        while span / step > Self.mostMarks(step) { step *= 2 }
        let origin = ClockHistogram.origin
        let first = ((clock.start - origin) / step) * step + origin
        return stride(from: first, to: clock.start + span, by: Int64.Stride(step)).filter { $0 >= clock.start }.map {
            StackedColumns.Mark(label(of: $0, step: step), at: Double($0 - clock.start) / Double(span))
        }
    }

    /// How many fit side by side on a phone; those with seconds are longer.
    private static func mostMarks(_ step: Int64) -> Int64 { step < 60 ? 4 : 6 }

    /// `11:54:07`, `11:54`, `12 Sep`, or `Sep 2018`.
    private func label(of second: Int64, step: Int64) -> String {
        let time = FigureText.time(second: second)
        let parts = time.prefix(10).split(separator: "-")
        guard step >= 86_400 || time.hasSuffix("00:00:00"), parts.count == 3, let month = Int(parts[1]),
            let day = Int(parts[2]), Self.months.indices.contains(month - 1)
        else { return String(time.dropFirst(11).prefix(step < 60 ? 8 : 5)) }
        let name = Self.months[month - 1]
        return step > 60 * 86_400 ? "\(name) \(parts[0])" : "\(day) \(name)"
    }
}
