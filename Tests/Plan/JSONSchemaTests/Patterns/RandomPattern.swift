import Primitives

/// Generates random patterns and texts that are the same for the same seed.
struct RandomPattern {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func pick(_ words: [String]) -> String { words[below(words.count)] }

    /// A pattern without lookaround and backreferences, which every matcher supports.
    mutating func pattern(depth: Int = 3) -> String {
        var result = sequence(depth: depth)
        while below(4) == 0 { result += "|" + sequence(depth: depth) }
        return result
    }

    private mutating func sequence(depth: Int) -> String {
        (0..<below(4)).reduce(into: "") { result, _ in result += term(depth: depth) }
    }

    private mutating func term(depth: Int) -> String {
        if below(10) == 0 { return pick(["^", "$", #"\b"#, #"\B"#]) }
        let item = atom(depth: depth)
        guard below(3) == 0 else { return item }
        return item + pick(["*", "+", "?", "*?", "+?", "??", "{0}", "{2}", "{1,}", "{0,2}", "{1,3}?"])
    }

    private mutating func atom(depth: Int) -> String {
        switch below(depth > 0 ? 10 : 7) {
        case 0...4: pick(["a", "b", "c", "a", "b", "é", "😀", "1", "_", #"\."#, #"\n"#])
        case 5: pick(["[ab]", "[^a]", "[a-c]", "[^é]", "[😀-😎]", #"[\d_]"#, #"[^\W]"#, "[]", "[^]"])
        case 6: pick([".", #"\d"#, #"\w"#, #"\W"#, #"\s"#, #"\S"#])
        case 7: "(\(pattern(depth: depth - 1)))"
        default: "(?:\(pattern(depth: depth - 1)))"
        }
    }

    mutating func text() -> String {
        let words = below(2) == 0 ? ["a", "b", "c"] : ["a", "b", "c", "é", "😀", "😏", "1", "_", "-", " ", "\n", "ß"]
        return (0..<below(9)).reduce(into: "") { result, _ in result += pick(words) }
    }

    /// Random parts of patterns.
    mutating func junk() -> String {
        let parts = [
            "a", "b", "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", "\\", ".", "-", "1", "2", ",", "(?",
            "(?:",
            "(?=", "(?<", "(?<=", "(?<!", "<", ">", "=", "!", ":", "n", "k", "\\k<", "u", "x", "\\p{L}", "\\u{",
            "\\uD83D",
            "\\uDE00", "\\x4", "\\1", "\\0", "é", "😀", "[a-", "[^", "{2}", "{1,",
        ]
        return (0..<below(10)).reduce(into: "") { result, _ in result += pick(parts) }
    }
}
