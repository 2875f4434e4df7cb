/// Reads the patterns of ECMA-262 that a table of states can decide: from ^ to $, with choices, groups, repetitions
/// and sets of ASCII characters.
struct PatternParser {
    /// Why a pattern is not one of these.
    struct Refusal: Error {
        let reason: String
    }

    private var rest: Substring.UnicodeScalarView

    /// Reads a whole pattern.
    static func parse(_ pattern: String) throws(Refusal) -> PatternNode {
        guard pattern.hasPrefix("^"), pattern.hasSuffix("$"), !pattern.hasSuffix("\\$") else {
            throw Refusal(reason: "a pattern begins with ^ and ends with $")
        }
        var parser = PatternParser(rest: Substring(pattern.dropFirst().dropLast()).unicodeScalars)
        let node = try parser.alternatives(depth: 0)
        guard parser.rest.isEmpty else { throw Refusal(reason: "a bracket is closed that was not opened") }
        // ^a|b$ means ^a or b$, each open at one side.
        if case .choice(let choices) = node, choices.count > 1 {
            throw Refusal(reason: "choices between ^ and $ stand in parentheses")
        }
        return node
    }

    private mutating func alternatives(depth: Int) throws(Refusal) -> PatternNode {
        guard depth < 50 else { throw Refusal(reason: "it is nested too deeply") }
        var choices: [PatternNode] = []
        while true {
            var sequence: [PatternNode] = []
            while let next = rest.first, next != "|", next != ")" {
                sequence.append(try repetition(of: try atom(depth: depth)))
            }
            choices.append(.sequence(sequence))
            guard rest.first == "|" else { break }
            rest.removeFirst()
        }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func atom(depth: Int) throws(Refusal) -> PatternNode {
        let scalar = rest.removeFirst()
        switch scalar {
        case "(":
            if rest.first == "?" {
                rest.removeFirst()
                guard rest.popFirst() == ":" else {
                    throw Refusal(reason: "looking around and names of groups are not in the tables")
                }
            }
            let group = try alternatives(depth: depth + 1)
            guard rest.popFirst() == ")" else { throw Refusal(reason: "a parenthesis is not closed") }
            return group
        case "[": return try set()
        case ".":
            var lineEnds = ByteSet()
            lineEnds.insert(0x0A)
            lineEnds.insert(0x0D)
            return .choice([.byte(lineEnds.otherASCII), .beyondASCIIInLine])
        case "\\": return try escape()
        case "^", "$": throw Refusal(reason: "^ and $ stand at the ends only")
        case "*", "+", "?", "{", "}", "]": throw Refusal(reason: "\(scalar) has nothing to refer to")
        default: return .literal(scalar)
        }
    }

    /// `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`, each with a `?` that changes nothing of what matches.
    private mutating func repetition(of node: PatternNode) throws(Refusal) -> PatternNode {
        var bounds: (least: Int, most: Int?)
        switch rest.first {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{":
            guard let end = rest.firstIndex(of: "}") else { throw Refusal(reason: "a brace is not closed") }
            let text = String(rest[..<end].dropFirst())
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard let least = parts.first ?? nil, parts.count <= 2 else {
                throw Refusal(reason: "{\(text)} is no repetition")
            }
            bounds = (least, parts.count == 1 ? least : parts[1])
            guard least >= 0, bounds.most.map({ $0 >= least }) ?? text.hasSuffix(",") else {
                throw Refusal(reason: "{\(text)} is no repetition")
            }
            rest = rest[end...]
        default: return node
        }
        rest.removeFirst()
        if rest.first == "?" { rest.removeFirst() }
        return .repeated(node, least: bounds.least, most: bounds.most)
    }

    private mutating func escape() throws(Refusal) -> PatternNode {
        guard let scalar = rest.popFirst() else { throw Refusal(reason: "it ends with a backslash") }
        if let set = Self.named(scalar) { return .byte(set) }
        return .literal(try Self.escaped(scalar))
    }

    private mutating func set() throws(Refusal) -> PatternNode {
        var set = ByteSet()
        let isNegated = rest.first == "^"
        if isNegated { rest.removeFirst() }
        while let scalar = rest.popFirst(), scalar != "]" {
            if scalar == "\\", let next = rest.first, let named = Self.named(next) {
                rest.removeFirst()
                set.formUnion(named)
                continue
            }
            let lower = try element(scalar)
            var upper = lower
            if rest.first == "-", let after = rest.dropFirst().first, after != "]" {
                rest.removeFirst()
                upper = try element(rest.removeFirst())
            }
            guard lower <= upper else { throw Refusal(reason: "a range in brackets runs backwards") }
            set.formUnion(ByteSet(lower...upper))
            guard !rest.isEmpty else { break }
        }
        return isNegated ? .choice([.byte(set.otherASCII), .beyondASCII]) : .byte(set)
    }

    private mutating func element(_ scalar: Unicode.Scalar) throws(Refusal) -> UInt8 {
        var scalar = scalar
        if scalar == "\\" {
            guard let next = rest.popFirst() else { throw Refusal(reason: "it ends with a backslash") }
            scalar = try Self.escaped(next)
        }
        guard scalar.isASCII else { throw Refusal(reason: "only ASCII characters stand in brackets") }
        return UInt8(scalar.value)
    }

    /// `\d` and `\w`.
    private static func named(_ scalar: Unicode.Scalar) -> ByteSet? {
        let digits = ByteSet(0x30...0x39)
        switch scalar {
        case "d": return digits
        case "w": return digits.union(ByteSet(0x41...0x5A)).union(ByteSet(0x61...0x7A)).union(ByteSet(0x5F...0x5F))
        default: return nil
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) throws(Refusal) -> Unicode.Scalar {
        switch scalar {
        case "t": return "\t"
        case "n": return "\n"
        case "r": return "\r"
        case _ where "^$\\.*+?()[]{}|/-".unicodeScalars.contains(scalar): return scalar
        default: throw Refusal(reason: "\\\(scalar) is not in the tables")
        }
    }
}
