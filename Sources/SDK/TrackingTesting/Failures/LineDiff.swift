/// A diff of two lists of lines.
struct LineDiff {
    enum Line: Equatable {
        /// In both lists, with the actual text.
        case both(String)
        /// Expected but missing.
        case missing(String)
        /// Unexpected.
        case extra(String)
    }

    /// The maximum number of line pairs to compare. Beyond that, the differing part is shown without a comparison.
    private static let maximumPairs = 1_000_000
    /// The maximum number of lines of a text.
    private static let maximumLines = 200

    let lines: [Line]

    /// Compares expected with actual lines, and keeps the longest common part.
    ///
    /// - Parameter matches: Whether the expected line at the first index matches the actual line at the second.
    /// - Complexity: O(expected × actual) time and space, without the common lines at the start and at the end.
    init(expected: [String], actual: [String], matches: (Int, Int) -> Bool) {
        let shorter = min(expected.count, actual.count)
        let start = (0..<shorter).first { !matches($0, $0) } ?? shorter
        let end =
            (0..<(shorter - start)).first { !matches(expected.count - 1 - $0, actual.count - 1 - $0) } ?? shorter
            - start
        let left = start..<(expected.count - end)
        let right = start..<(actual.count - end)
        let middle =
            left.count * right.count > Self.maximumPairs
            ? left.map { .missing(expected[$0]) } + right.map { .extra(actual[$0]) }
            : Self.middle(Array(expected[left]), Array(actual[right])) { matches($0 + start, $1 + start) }
        lines = actual[..<start].map { .both($0) } + middle + actual[right.upperBound...].map { .both($0) }
    }

    private static func middle(_ expected: [String], _ actual: [String], matches: (Int, Int) -> Bool) -> [Line] {
        // The lengths of the longest common subsequences of all suffixes.
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
        var left = 0
        var right = 0
        while left < expected.count || right < actual.count {
            if left < expected.count, right < actual.count, isMatch[left][right],
                longest[left][right] == longest[left + 1][right + 1] + 1
            {
                lines.append(.both(actual[right]))
                left += 1
                right += 1
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
        return lines
    }

    /// The diff as text: one line each, with a sign in front. A long diff omits common lines far from a difference.
    var text: String {
        let texts = lines.map { line in
            switch line {
            case .both(let text): "    \(text)"
            case .missing(let text): "  - \(Self.visible(text))"
            case .extra(let text): "  + \(Self.visible(text))"
            }
        }
        guard texts.count > Self.maximumLines else { return texts.joined(separator: "\n") }
        // Starts a few lines before the first difference.
        let first = lines.firstIndex { if case .both = $0 { false } else { true } } ?? 0
        let skipped = max(0, first - 3)
        let before = skipped == 0 ? "" : "    … \(skipped) more\n"
        return before + Self.text(Array(texts[skipped...]), header: "")
    }

    /// Escapes characters that are invisible or ambiguous, such as a zero-width space or a combining accent.
    private static func visible(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .nonspacingMark, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
                "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            case .spaceSeparator where scalar != " ": "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: String(scalar)
            }
        }.joined()
    }

    /// Lines under a header, with the number of omitted lines of a long list; empty without lines.
    static func text(_ lines: [String], header: String) -> String {
        guard !lines.isEmpty else { return "" }
        let rest = lines.count - maximumLines
        return header + lines.prefix(maximumLines).joined(separator: "\n") + (rest > 0 ? "\n    … \(rest) more" : "")
    }
}
