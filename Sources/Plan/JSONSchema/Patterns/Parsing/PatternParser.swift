/// Parses a regular expression of ECMA-262 in Unicode mode (flag `u`).
///
/// Open groups are kept in a list, so that deep nesting uses no stack. The grammar:
/// https://tc39.es/ecma262/#sec-patterns
struct PatternParser {
    var text: PatternText
    /// The open groups, the innermost last. The first one is the pattern itself.
    var open: [OpenGroup] = [OpenGroup(.whole, offset: 0, groupsBefore: 0)]
    var groupCount = 0
    /// The number of each named group, by the name's UTF-8.
    var groupNames: [[UInt8]: Int] = [:]
    /// The targets of backreferences and their offsets. A target may be a later group.
    var references: [(target: Target, offset: Int)] = []
    var looks = false
    private var nodes: [PatternNode] = []
    private var sets: [ScalarSet] = []
    private var setLocations: [ScalarSet: Int] = [:]
    /// Whether to build a tree. If not, only the syntax is checked.
    let makesTree: Bool

    /// How a backreference refers to its group.
    enum Target {
        case number(Int)
        case name([UInt8])
    }

    static func parse(_ source: String) throws(PatternSyntaxError) -> PatternTree {
        var parser = PatternParser(text: PatternText(source.utf8), makesTree: true)
        return try parser.parse()
    }

    /// Returns whether a text is a pattern of any size. Time and memory are proportional to its length.
    static func accepts(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
        var parser = PatternParser(text: PatternText(source), makesTree: false)
        do throws(PatternSyntaxError) {
            _ = try parser.parse()
            return true
        } catch {
            return false
        }
    }

    private init(text: PatternText, makesTree: Bool) {
        self.text = text
        self.makesTree = makesTree
    }

    private mutating func parse() throws(PatternSyntaxError) -> PatternTree {
        while let byte = text.peek() {
            switch byte {
            case UInt8(ascii: "("): try openGroup()
            case UInt8(ascii: ")"): try closeGroup()
            case UInt8(ascii: "|"):
                text.skip()
                endAlternative()
            default: try readTerm()
            }
        }
        if open.count > 1 { throw text.issue("unterminated group", at: open[open.count - 1].offset) }
        let root = bodyOfInnermostGroup()
        return PatternTree(
            nodes: nodes, root: root, sets: sets, groupCount: groupCount, references: try resolvedReferences(),
            looks: looks)
    }

    /// Adds a node, which is not yet part of another one.
    mutating func make(_ kind: PatternNode.Kind) -> Int {
        guard makesTree else { return 0 }
        nodes.append(PatternNode(kind, among: nodes))
        return nodes.count - 1
    }

    /// Returns the node for one character of a set.
    private mutating func make(_ set: ScalarSet) -> Int {
        guard makesTree else { return 0 }
        if let location = setLocations[set] { return make(.set(location)) }
        setLocations[set] = sets.count
        sets.append(set)
        return make(.set(sets.count - 1))
    }

    private mutating func makeCharacter(_ scalar: UInt32) -> Int { makesTree ? make(ScalarSet(scalar)) : 0 }

    private mutating func endAlternative() {
        guard makesTree else { return }
        let items = open[open.count - 1].items
        open[open.count - 1].items = []
        open[open.count - 1].alternatives.append(items.count == 1 ? items[0] : make(.sequence(items)))
    }

    /// Returns the node for the content of the innermost group.
    mutating func bodyOfInnermostGroup() -> Int {
        guard makesTree else { return 0 }
        endAlternative()
        let alternatives = open[open.count - 1].alternatives
        return alternatives.count == 1 ? alternatives[0] : make(.alternation(alternatives))
    }

    /// Adds a node to the innermost group.
    mutating func append(_ node: Int) {
        if makesTree { open[open.count - 1].items.append(node) }
    }

    private func resolvedReferences() throws(PatternSyntaxError) -> [Int] {
        var groups: [Int] = []
        for reference in references {
            switch reference.target {
            case .number(let number):
                if number > groupCount { throw text.issue("unknown group number", at: reference.offset) }
                groups.append(number)
            case .name(let name):
                guard let number = groupNames[name] else {
                    throw text.issue("unknown group name", at: reference.offset)
                }
                groups.append(number)
            }
        }
        return groups
    }

    /// Reads an assertion, or a character or class with its quantifier.
    private mutating func readTerm() throws(PatternSyntaxError) {
        let start = text.offset
        guard let scalar = text.scalar() else { return }
        switch Unicode.Scalar(scalar) {
        case "^": append(assertion: .start)
        case "$": append(assertion: .end)
        case "*", "+", "?", "{": throw text.issue("quantifier without anything to repeat", at: start)
        case "]", "}": throw text.issue("this character must be escaped", at: start)
        case ".": try append(make(.dot), groupsBefore: groupCount)
        case "[": try append(make(readClass(from: start)), groupsBefore: groupCount)
        case "\\": try readEscape(from: start)
        default: try append(makeCharacter(scalar), groupsBefore: groupCount)
        }
    }

    /// Reads the rest of an escape outside of a class.
    private mutating func readEscape(from start: Int) throws(PatternSyntaxError) {
        if text.consume("b") { return append(assertion: .wordBoundary) }
        if text.consume("B") { return append(assertion: .noWordBoundary) }
        let node: Int
        if let byte = text.peek(), byte >= UInt8(ascii: "1"), byte <= UInt8(ascii: "9"), let number = text.number() {
            references.append((.number(number), start))
            node = make(.backreference(references.count - 1))
        } else if text.consume("k") {
            guard text.consume("<") else { throw text.issue("\\k must be followed by a group name in <>") }
            references.append((.name(try readGroupName()), start))
            node = make(.backreference(references.count - 1))
        } else if let set = try readSetEscape(from: start) {
            node = make(set)
        } else {
            node = makeCharacter(try readCharacterEscape(from: start))
        }
        try append(node, groupsBefore: groupCount)
    }

    private mutating func append(assertion: PatternAssertion) {
        append(make(.assertion(assertion)))
    }

    /// Adds a node with its quantifier to the innermost group.
    mutating func append(_ node: Int, groupsBefore: Int) throws(PatternSyntaxError) {
        var node = node
        if let repetition = try readQuantifier(groupsBefore: groupsBefore) {
            node = make(.repetition(node, repetition))
        }
        append(node)
    }
}
