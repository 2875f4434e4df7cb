internal import CommandSupport
internal import EventQuery
internal import Primitives
internal import TextRendering

/// Follows matches that stand one after the other, in all lines or within each user or session.
final class SequenceCheck: ExpectationCheck {
    /// How many users or sessions are followed at most: 131,072.
    private static let maximumGroups = 1 << 17

    /// How far a user or session came. There may be many: 24 bytes, and 16 for whose it is.
    private struct Progress {
        var steps: Int32
        /// The place of the last step: which of the inputs, and where in it.
        var input: Int32
        var number: Int64
        /// How many steps all had reached then.
        var order: Int64
    }

    private let steps: [PartialMatch]
    private let group: Expectation.Group?
    /// By half of the SHA-256 of the user or session: 128 bits, in which no two are found to be alike.
    private var reached: [SIMD4<UInt32>: Progress] = [:]
    /// The names of inputs, in the order in which they came.
    private var inputs: [String] = []
    /// How many steps were reached so far, by all.
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
                a sequence is followed in at most \(Self.maximumGroups.grouped) users or sessions: narrow it by 'where'
                """
            )
        }
        count += 1
        if inputs.last != line.place.input { inputs.append(line.place.input) }
        reached[key] = Progress(
            steps: Int32(done + 1), input: Int32(inputs.count - 1), number: line.place.number, order: Int64(count))
        if done + 1 == steps.count { complete += 1 }
    }

    /// Whose line it is; nil if nobody's who is followed.
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
        // The one that came furthest of those that did not come to the end; of several, the one that did so first.
        let furthest = reached.values.lazy.filter { $0.steps < self.steps.count }
            .max { ($0.steps, $1.order) < ($1.steps, $0.order) }
        let place = furthest.map { AssertedLine.Place(input: inputs[Int($0.input)], number: $0.number) }
        guard let group else {
            let done = furthest.map { Int($0.steps) } ?? (complete > 0 ? steps.count : 0)
            return Verdict(
                isMet: complete > 0, expected: "\(steps.count.counted("step")) in this order",
                found: complete > 0 ? "all" : "the first \(done)", place: place)
        }
        return Verdict(
            isMet: complete > 0 && complete == reached.count,
            expected: "\(steps.count.counted("step")) in this order for each \(group.rawValue) that has the first",
            found: reached.isEmpty
                ? "none that has the first" : "\(complete.grouped) complete of \(reached.count.grouped)",
            place: place)
    }
}
