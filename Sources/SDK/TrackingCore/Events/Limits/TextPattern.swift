/// A pattern of a schema as a state table that the code generator created. Matching takes one step per byte, without
/// backtracking or allocations.
public struct TextPattern: Sendable {
    /// The pattern as written in the schema.
    public let source: String
    /// The column of each byte value.
    private let columns: [UInt8]
    private let next: [UInt8]
    private let width: Int
    private let start: Int
    private let firstAccepting: Int

    /// Makes a pattern from its table. A table of the wrong size matches nothing.
    ///
    /// - Parameters:
    ///   - columns: The byte values at which a new column starts, in ascending order. The first column starts at 0.
    ///   - start: The state before the first byte.
    ///   - firstAccepting: The lowest state in which the text matches.
    ///   - next: The next state, by state and column. 0 is the state in which the text can no longer match.
    public init(_ source: String, columns: [UInt8], start: Int, firstAccepting: Int, next: [UInt8]) {
        self.source = source
        width = columns.count + 1
        let states = next.count / width
        let isWhole =
            next.count == states * width && (0..<states).contains(start) && next.allSatisfy { Int($0) < states }
        self.next = isWhole ? next : Array(repeating: 0, count: width)
        self.start = isWhole ? start : 0
        self.firstAccepting = isWhole ? firstAccepting : 1
        self.columns = (0...UInt8.max).map { byte in UInt8(truncatingIfNeeded: columns.prefix { $0 <= byte }.count) }
    }

    /// Whether the pattern matches the text. Complexity: O(bytes).
    func matches(_ text: String) -> Bool {
        var state = start
        for byte in text.utf8 {
            state = Int(next[state * width + Int(columns[Int(byte)])])
            if state == 0 { return false }
        }
        return state >= firstAccepting
    }
}

extension EventLimits {
    /// Checks `pattern`.
    public static func pattern(
        _ text: String, _ pattern: TextPattern, _ property: StaticString
    ) throws(TrackingEventError) {
        guard pattern.matches(text) else { throw error(property, keyword: "pattern", limit: pattern.source) }
    }
}
