internal import CommandSupport
internal import EventQuery
internal import JSONLines
internal import LogStatistics
internal import Primitives
internal import TextRendering
internal import TrackingPlan

/// Counts lines.
final class CountCheck: ExpectationCheck {
    private let range: ClosedRange<Int>
    private var count = 0
    /// The first line past the maximum count; until then, the last line.
    private var location: AssertedLine.Location?

    init(_ range: ClosedRange<Int>) { self.range = range }

    func take(_ line: AssertedLine) {
        count += 1
        if count <= range.upperBound || count == range.upperBound + 1 { location = line.location }
    }

    func verdict() -> Verdict {
        Verdict(
            isMet: range.contains(count), expected: expected, found: count == 0 ? "none" : count.counted("line"),
            location: location, isFinal: count > range.upperBound)
    }

    private var expected: String {
        switch (range.lowerBound, range.upperBound) {
        case (0, 0): "none"
        case (let low, .max): "at least \(low.counted("line"))"
        case (0, let high): "at most \(high.counted("line"))"
        case (let low, let high): low == high ? "exactly \(low.counted("line"))" : "\(low) to \(high.counted("line"))"
        }
    }
}

/// Follows matches in order, in all lines or within each user or session.
final class SequenceCheck: ExpectationCheck {
    /// The maximum number of users or sessions to follow: 131,072.
    private static let maximumGroups = 1 << 17

    /// The progress of a user or session, in 24 bytes (plus 16 for the key).
    private struct Progress {
        var steps: Int32
        /// The position of the last step: the input's index and the line in it.
        var input: Int32
        var number: Int64
        /// The order in which groups advanced, as a counter over all groups.
        var order: Int64
    }

    private let steps: [PartialMatch]
    private let group: Expectation.Group?
    /// By the first half (128 bits) of the SHA-256 of the user or session. Collisions are practically impossible.
    private var reached: [SIMD4<UInt32>: Progress] = [:]
    /// The names of inputs, in order of first use.
    private var inputs: [String] = []
    /// Steps so far, over all groups.
    private var count = 0
    private var complete = 0

    init(_ steps: [PartialMatch], by group: Expectation.Group?) {
        self.steps = steps
        self.group = group
    }

    func take(_ line: AssertedLine) throws {
        guard let key = key(of: line) else { return }
        let done = Int(reached[key]?.steps ?? 0)
        guard done < steps.count, steps[done].holds(try line.parsed()) else { return }
        guard done > 0 || reached.count < Self.maximumGroups else {
            throw CommandFailure(
                .usage,
                """
                cannot follow a sequence in more than \(Self.maximumGroups.grouped) users or sessions; narrow it \
                with 'where'
                """
            )
        }
        count += 1
        if inputs.last != line.location.input { inputs.append(line.location.input) }
        reached[key] = Progress(
            steps: Int32(done + 1), input: Int32(inputs.count - 1), number: line.location.number, order: Int64(count))
        if done + 1 == steps.count { complete += 1 }
    }

    /// The user or session of a line; nil if the line has none.
    private func key(of line: AssertedLine) -> SIMD4<UInt32>? {
        let name: UnsafeRawBufferPointer
        switch group {
        case nil: return .zero
        case .user?: name = line.event.raw(line.event.userID)
        case .session?: name = line.event.raw(line.event.sessionID)
        }
        guard !name.isEmpty else { return nil }
        return name.withMemoryRebound(to: UInt8.self) { SHA256.digest($0).lowHalf }
    }

    func verdict() -> Verdict {
        // The incomplete group with the most steps; if several, the earliest.
        let furthest = reached.values.lazy.filter { $0.steps < self.steps.count }
            .max { ($0.steps, $1.order) < ($1.steps, $0.order) }
        let location = furthest.map { AssertedLine.Location(input: inputs[Int($0.input)], number: $0.number) }
        guard let group else {
            let done = furthest.map { Int($0.steps) } ?? (complete > 0 ? steps.count : 0)
            return Verdict(
                isMet: complete > 0, expected: "\(steps.count.counted("step")) in this order",
                found: complete > 0 ? "all" : "the first \(done)", location: location)
        }
        return Verdict(
            isMet: complete > 0 && complete == reached.count,
            expected: "\(steps.count.counted("step")) in this order for each \(group.rawValue) that has the first",
            found: reached.isEmpty
                ? "none that has the first" : "\(complete.grouped) complete of \(reached.count.grouped)",
            location: location)
    }
}

/// Checks for missing numbers within installs. Fails if there are no lines.
final class GapCheck: ExpectationCheck {
    private static let linesPerPart = 1000

    private let counter = StatisticsCounter()
    private var statistics = LogStatistics()
    private var pending = 0
    /// Lines that lack a member needed for counting.
    private var uncounted = 0
    private var location: AssertedLine.Location?

    func take(_ line: AssertedLine) {
        do throws(JSONSyntaxError) {
            try counter.add(line.event.bytes)
        } catch {
            uncounted += 1
            location = location ?? line.location
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
        // Unchecked numbers could hide gaps, so the check fails.
        let unchecked = uncounted + statistics.uncheckedEvents
        guard statistics.total + uncounted > 0 else {
            return Verdict(isMet: false, expected: "lines without gaps", found: "no lines")
        }
        let found =
            "\(missing.counted("number")) missing" + (unchecked > 0 ? ", \(unchecked.counted("line")) not counted" : "")
        return Verdict(
            isMet: missing == 0 && unchecked == 0, expected: "lines without gaps", found: found, location: location)
    }
}

/// Checks lines against the plan. Fails if there are no lines, so that a wrong condition does not go unnoticed.
final class ValidityCheck: ExpectationCheck {
    private var checker: LineChecker
    private var lines = 0
    private var invalid = 0
    /// The first invalid line.
    private var location: AssertedLine.Location?

    init(_ plan: CompiledPlan) { checker = LineChecker(plan) }

    func take(_ line: AssertedLine) {
        lines += 1
        if checker.validEvent(line.event.bytes) != nil { return }
        let result = checker.check(line.event.bytes)
        if result.isValid || result.isUnplanned { return }
        invalid += 1
        if location == nil { location = line.location }
    }

    func verdict() -> Verdict {
        Verdict(
            isMet: lines > 0 && invalid == 0, expected: "at least one line, all valid",
            found: lines == 0
                ? "no lines"
                : invalid == 0
                    ? "\(lines.counted("line")), all valid" : "\(invalid.grouped) of \(lines.counted("line")) invalid",
            location: location, isFinal: invalid > 0)
    }
}
