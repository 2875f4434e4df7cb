/// Suggests corrections of misspelled words.
enum Spelling {
    /// Returns the nearest word within two typos; nil if there is none.
    ///
    /// A typo is an extra, missing, wrong or swapped character. Complexity: O(words).
    static func nearest(to text: String, in words: Set<String>) -> String? {
        let candidates = words.map { (count: distance(text.lowercased(), $0.lowercased()), word: $0) }
        guard let best = candidates.min(by: { ($0.count, $0.word) < ($1.count, $1.word) }) else { return nil }
        return best.count <= 2 && best.count < text.count ? best.word : nil
    }

    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var table = [Array(0...right.count)]
        for row in left.indices {
            var line = [row + 1]
            for column in right.indices {
                let isEqual = left[row] == right[column]
                var best = min(
                    table[row][column] + (isEqual ? 0 : 1), table[row][column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, table[row - 1][column - 1] + 1)
                }
                line.append(best)
            }
            table.append(line)
        }
        return table[left.count][right.count]
    }
}
