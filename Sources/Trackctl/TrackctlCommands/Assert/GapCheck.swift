internal import EventQuery
internal import JSONLines
internal import LogStatistics
internal import TextRendering

/// Looks for numbers that are missing within installs. That there is no line at all is not enough.
final class GapCheck: ExpectationCheck {
    private static let linesPerPart = 1000

    private let counter = StatisticsCounter()
    private var statistics = LogStatistics()
    private var pending = 0
    /// Lines without what is counted by.
    private var uncounted = 0
    private var place: AssertedLine.Place?

    func take(_ line: AssertedLine) {
        do throws(JSONSyntaxError) {
            try counter.add(line.event.bytes)
        } catch {
            uncounted += 1
            place = place ?? line.place
            return
        }
        pending += 1
        if pending == Self.linesPerPart { addPart() }
    }

    private func addPart() {
        statistics.add(counter.takePart())
        pending = 0
    }

    func verdict() -> Verdict {
        addPart()
        let missing = statistics.missing
        // Numbers that were not looked at are no numbers without gaps.
        let unchecked = uncounted + statistics.uncheckedEvents
        guard statistics.total + uncounted > 0 else {
            return Verdict(isMet: false, expected: "lines without gaps", found: "no line")
        }
        let found =
            "\(missing.counted("number")) missing" + (unchecked > 0 ? ", \(unchecked.counted("line")) not counted" : "")
        return Verdict(
            isMet: missing == 0 && unchecked == 0, expected: "lines without gaps", found: found, place: place)
    }
}
