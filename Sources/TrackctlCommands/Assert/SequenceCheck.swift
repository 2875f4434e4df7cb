internal import CommandSupport
internal import EventQuery
internal import TerminalText

/// Follows matches that stand one after the other, in all lines or within each user or session.
final class SequenceCheck: ExpectationCheck {
    /// How many users or sessions are followed at most: 131,072.
    private static let maximumGroups = 1 << 17

    private let steps: [PartialMatch]
    private let group: Expectation.Group?
    private var reached: [[UInt8]: (steps: Int, place: AssertedLine.Place, order: Int)] = [:]
    /// How many steps were reached so far, by all.
    private var count = 0
    private var complete = 0

    init(_ steps: [PartialMatch], by group: Expectation.Group?) {
        self.steps = steps
        self.group = group
    }

    func take(_ line: AssertedLine) throws {
        let key: [UInt8]
        switch group {
        case nil: key = []
        case .user?: key = Array(line.event.raw(line.event.userID))
        case .session?: key = Array(line.event.raw(line.event.sessionID))
        }
        guard group == nil || !key.isEmpty else { return }
        let done = reached[key]?.steps ?? 0
        guard done < steps.count, steps[done].holds(try line.parsed()) else { return }
        guard done > 0 || reached.count < Self.maximumGroups else {
            throw CommandFailure(
                .usage,
                """
                a sequence is followed in at most \(Self.maximumGroups.grouped) users or sessions: narrow it by 'where'
                """
            )
        }
        count += 1
        reached[key] = (done + 1, line.place, order: count)
        if done + 1 == steps.count { complete += 1 }
    }

    func verdict() -> Verdict {
        // The one that came furthest of those that did not come to the end; of several, the one that did so first.
        let furthest = reached.values.filter { $0.steps < steps.count }
            .max { ($0.steps, $1.order) < ($1.steps, $0.order) }
        guard let group else {
            let done = furthest?.steps ?? (complete > 0 ? steps.count : 0)
            return Verdict(
                isMet: complete > 0, expected: "\(steps.count.counted("step")) in this order",
                found: complete > 0 ? "all" : "the first \(done)", place: furthest?.place)
        }
        return Verdict(
            isMet: complete > 0 && complete == reached.count,
            expected: "\(steps.count.counted("step")) in this order for each \(group.rawValue) that has the first",
            found: reached.isEmpty
                ? "none that has the first" : "\(complete.grouped) complete of \(reached.count.grouped)",
            place: furthest?.place)
    }
}
