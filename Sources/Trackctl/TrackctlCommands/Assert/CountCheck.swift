internal import TextRendering

/// Counts lines.
final class CountCheck: ExpectationCheck {
    private let range: ClosedRange<Int>
    private var count = 0
    /// The first line that is too many, else the last one.
    private var place: AssertedLine.Place?

    init(_ range: ClosedRange<Int>) { self.range = range }

    func take(_ line: AssertedLine) {
        count += 1
        if count <= range.upperBound || count == range.upperBound + 1 { place = line.place }
    }

    func verdict() -> Verdict {
        Verdict(
            isMet: range.contains(count), expected: expected, found: count == 0 ? "none" : count.counted("line"),
            place: place)
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
