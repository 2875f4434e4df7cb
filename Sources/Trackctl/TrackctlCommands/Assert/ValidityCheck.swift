internal import EventQuery
internal import TextRendering
internal import TrackingPlan

/// Checks lines against the plan. That there is none to check is not enough: a wrong condition would go unseen.
final class ValidityCheck: ExpectationCheck {
    private var checker: LineChecker
    private var lines = 0
    private var invalid = 0
    /// The first invalid one.
    private var place: AssertedLine.Place?

    init(_ plan: CompiledPlan) { checker = LineChecker(plan) }

    func take(_ line: AssertedLine) {
        lines += 1
        if checker.validEvent(line.event.bytes) != nil || checker.check(line.event.bytes).isValid { return }
        invalid += 1
        if place == nil { place = line.place }
    }

    func verdict() -> Verdict {
        Verdict(
            isMet: lines > 0 && invalid == 0, expected: "every line valid, at least one",
            found: lines == 0
                ? "no line"
                : invalid == 0
                    ? "\(lines.counted("line")), all valid" : "\(invalid.grouped) of \(lines.counted("line")) invalid",
            place: place)
    }
}
