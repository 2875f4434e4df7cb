/// Generates texts that a pattern matches, by walking through the pattern.
///
/// Constraints that a walk cannot satisfy (lookaround, word boundaries, inner anchors) are checked afterwards with the
/// pattern itself. Texts that don't match are discarded.
package struct PatternSampler: Sendable {
    private let tree: PatternTree
    private let pattern: Pattern
    /// The maximum number of scalars in a text.
    private static let longest = 1 << 20
    /// The maximum number of steps to check a text.
    private static let steps = 1_000_000

    /// Parses a pattern; nil if the text is not a pattern, or is too large.
    package init?(_ source: String) {
        // The reason is lost; compiling the schema reports it.
        guard let tree = try? PatternParser.parse(source), let pattern = try? Pattern(source) else { return nil }
        self.tree = tree
        self.pattern = pattern
    }

    /// Returns whether the pattern matches anywhere in the text.
    package func finds(in text: [UInt8]) -> Bool {
        var steps = Self.steps
        return text.withUnsafeBufferPointer { pattern.search($0, steps: &steps) == .found }
    }

    /// Returns a text; nil if this walk found none. Another walk may find one.
    ///
    /// - Parameters:
    ///   - rounds: The number of extra rounds of an open repetition, if its maximum allows them.
    ///   - choose: Returns a number from 0 to below its argument, which is at least 1.
    package func sample(rounds: ClosedRange<Int>, choose: (Int) -> Int) -> [UInt8]? {
        var walk = PatternWalk(tree: tree, rounds: rounds, longest: Self.longest)
        guard walk.visit(tree.root, choose) else { return nil }
        let text = walk.text
        return finds(in: text) ? text : nil
    }
}

/// One walk through a pattern, and the generated text.
struct PatternWalk {
    let tree: PatternTree
    /// The number of extra rounds of an open repetition, if its maximum allows them.
    let rounds: ClosedRange<Int>
    /// The maximum number of scalars in the text.
    let longest: Int
    private var scalars = String.UnicodeScalarView()
    private var count = 0
    /// The last match of each group.
    private var groups: [Int: String.UnicodeScalarView] = [:]

    init(tree: PatternTree, rounds: ClosedRange<Int>, longest: Int) {
        self.tree = tree
        self.rounds = rounds
        self.longest = longest
    }

    /// The text so far.
    var text: [UInt8] { Array(String(scalars).utf8) }

    /// Walks through a part of the pattern; returns false if nothing can match there, or the text gets too long.
    mutating func visit(_ location: Int, _ choose: (Int) -> Int) -> Bool {
        switch tree.nodes[location].kind {
        case .set(let set): return add(tree.sets[set], choose)
        case .sequence(let parts): return parts.allSatisfy { visit($0, choose) }
        case .alternation(let parts): return parts.isEmpty || visit(parts[choose(parts.count)], choose)
        case .group(let number, let body):
            let start = scalars.count
            guard visit(body, choose) else { return false }
            if !tree.references.isEmpty { groups[number] = String.UnicodeScalarView(scalars.dropFirst(start)) }
            return true
        case .repetition(let body, let repetition):
            let room = max((repetition.maximum ?? .max) - repetition.minimum, 0)
            let least = min(rounds.lowerBound, room)
            let most = min(rounds.upperBound, room)
            let wanted = repetition.minimum + least + choose(most - least + 1)
            for _ in 0..<wanted {
                let before = count
                guard visit(body, choose) else { return false }
                // Further rounds would also consume nothing.
                if count == before { break }
            }
            return true
        // Lookaround and boundaries are checked after the text is complete.
        case .assertion, .look: return true
        case .backreference(let reference):
            let copy = groups[tree.references[reference]] ?? .init()
            return append(copy)
        }
    }

    private mutating func append(_ text: some Sequence<Unicode.Scalar>) -> Bool {
        for scalar in text {
            guard count < longest else { return false }
            scalars.append(scalar)
            count += 1
        }
        return true
    }

    /// Adds a character of a set: preferably a small letter or a digit, then visible ASCII, then any other.
    private mutating func add(_ set: ScalarSet, _ choose: (Int) -> Int) -> Bool {
        for plain in [Self.plain, Self.visible, Self.any] {
            let ranges = set.ranges.flatMap { range in
                plain.filter(range.overlaps).map { range.clamped(to: $0) }
            }
            guard !ranges.isEmpty else { continue }
            var number = choose(ranges.reduce(0) { $0 + $1.count })
            for range in ranges {
                guard number >= range.count else {
                    guard let scalar = Unicode.Scalar(range.lowerBound + UInt32(number)) else { return false }
                    return append(CollectionOfOne(scalar))
                }
                number -= range.count
            }
        }
        return false
    }

    private static let plain: [ClosedRange<UInt32>] = [0x61...0x7A, 0x30...0x39]
    private static let visible: [ClosedRange<UInt32>] = [0x20...0x7E]
    /// Surrogates are not characters.
    private static let any: [ClosedRange<UInt32>] = [0...0xD7FF, 0xE000...0x10FFFF]
}
