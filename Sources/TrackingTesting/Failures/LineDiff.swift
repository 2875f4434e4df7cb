/// What two lists of lines have in common, and what only one of them has.
struct LineDiff {
    /// A line of the diff.
    enum Line: Equatable {
        /// In both; the text is that of what happened.
        case both(String)
        /// Expected, and not there.
        case missing(String)
        /// There, and not expected.
        case extra(String)
    }

    let lines: [Line]

    /// Compares what was expected with what happened, and keeps as much as possible in both.
    ///
    /// - Parameter matches: Whether the expected line at the first index is the actual one at the second.
    /// - Complexity: O(expected × actual) time and space.
    init(expected: [String], actual: [String], matches: (Int, Int) -> Bool) {
        // The longest common lists of all ends.
        var longest = Array(repeating: Array(repeating: 0, count: actual.count + 1), count: expected.count + 1)
        var isMatch = Array(repeating: Array(repeating: false, count: actual.count), count: expected.count)
        for left in expected.indices.reversed() {
            for right in actual.indices.reversed() {
                isMatch[left][right] = matches(left, right)
                longest[left][right] =
                    isMatch[left][right]
                    ? longest[left + 1][right + 1] + 1 : max(longest[left + 1][right], longest[left][right + 1])
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < expected.count || right < actual.count {
            if left < expected.count, right < actual.count, isMatch[left][right],
                longest[left][right] == longest[left + 1][right + 1] + 1
            {
                lines.append(.both(actual[right]))
                (left, right) = (left + 1, right + 1)
            } else if right == actual.count
                || (left < expected.count && longest[left + 1][right] >= longest[left][right + 1])
            {
                lines.append(.missing(expected[left]))
                left += 1
            } else {
                lines.append(.extra(actual[right]))
                right += 1
            }
        }
        self.lines = lines
    }

    /// The diff as text: a line each, with a sign in front.
    var text: String {
        lines.map { line in
            switch line {
            case .both(let text): "    \(text)"
            case .missing(let text): "  - \(text)"
            case .extra(let text): "  + \(text)"
            }
        }.joined(separator: "\n")
    }
}
