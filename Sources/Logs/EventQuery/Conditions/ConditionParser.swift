internal import EventModel

/// Parses conditions; see ``Condition`` for the grammar.
struct ConditionParser {
    private static let maximumNesting = 100

    private var reader: TypedText
    private let now: EventTime
    private var nesting = 0

    init(_ source: String, now: EventTime) {
        reader = TypedText(source)
        self.now = now
    }

    mutating func whole() throws(TypedTextError) -> Condition.Node {
        let node = try alternatives()
        guard reader.isAtEnd else { throw unexpected() }
        return node
    }

    private func unexpected() -> TypedTextError {
        for (typed, meant) in [("and", "&&"), ("or", "||"), ("&", "&&"), ("|", "||"), ("=", "==")]
        where String(reader.rest).lowercased().hasPrefix(typed) {
            return reader.error("write \(meant) instead of \(typed)")
        }
        return reader.error("expected && or ||, or the end")
    }

    private mutating func alternatives() throws(TypedTextError) -> Condition.Node {
        var nodes = [try conjunction()]
        while reader.take("||") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func conjunction() throws(TypedTextError) -> Condition.Node {
        var nodes = [try term()]
        while reader.take("&&") { nodes.append(try term()) }
        return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    /// Parses a term and the surrounding space.
    private mutating func term() throws(TypedTextError) -> Condition.Node {
        reader.skipSpace()
        defer { reader.skipSpace() }
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.maximumNesting else {
            throw reader.error("nested deeper than \(Self.maximumNesting) levels")
        }
        if reader.take("!") { return .not(try term()) }
        if reader.next == "(" {
            let start = reader.location
            _ = reader.take("(")
            let node = try alternatives()
            guard reader.take(")") else {
                throw reader.isAtEnd
                    ? reader.error("this parenthesis is never closed", at: start) : unexpected()
            }
            return node
        }
        if reader.take("exists(") {
            let path = try path()
            guard reader.take(")") else { throw reader.error("expected ')' after the path") }
            return .exists(path)
        }
        let start = reader.location
        if reader.take(word: "not") { throw reader.error("write ! instead of not", at: start) }
        return try comparison()
    }

    private mutating func comparison() throws(TypedTextError) -> Condition.Node {
        let start = reader.location
        guard reader.isAtPath else {
            throw reader.error("expected a path on the left, such as event.name or event.value.page")
        }
        let path = try path()
        if reader.take("~") { return .matches(path, try pattern(path, start)) }
        if reader.take(word: "in") { return try list(path) }
        if let comparison = Condition.Comparison.allCases.first(where: { reader.take($0.rawValue) }) {
            return try comparison.node(path, &self)
        }
        guard reader.next != "=" else { throw reader.error("write == to compare") }
        let type = KnownMember.type(of: path)
        guard type == nil else {
            throw reader.error("expected a comparison, such as \(path) == …: only booleans need none")
        }
        return .isTrue(path)
    }

    private mutating func pattern(_ path: EventPath, _ start: String.Index) throws(TypedTextError) -> TextMatcher {
        if let type = KnownMember.type(of: path), type != .text {
            throw reader.error("\(path) is \(type.rawValue): patterns need text", at: start)
        }
        reader.skipSpace()
        guard reader.next == "\"" || reader.next == "'" else {
            throw reader.error("expected a pattern in quotes, such as \"page-*\"")
        }
        return TextMatcher(glob: try reader.quoted())
    }

    private mutating func list(_ path: EventPath) throws(TypedTextError) -> Condition.Node {
        reader.skipSpace()
        guard reader.take("[") else { throw reader.error("expected a list, such as [\"search\", \"launch\"]") }
        let isTime = KnownMember.type(of: path) == .time
        var literals: [Literal] = []
        var times: [Condition.Node] = []
        repeat {
            reader.skipSpace()
            let start = reader.location
            let literal = try literal()
            if isTime {
                times.append(.compareTime(.equal, try time(literal, start)))
            } else {
                try check(path, comparison: .equal, literal: literal, at: start)
                literals.append(literal)
            }
            reader.skipSpace()
        } while reader.take(",")
        guard reader.take("]") else { throw reader.error("expected ',' or ']'") }
        return isTime ? .any(times) : .among(path, literals)
    }

    /// Parses the right side of a comparison.
    fileprivate mutating func right(
        _ path: EventPath, _ comparison: Condition.Comparison
    ) throws(TypedTextError) -> Condition.Node {
        reader.skipSpace()
        let start = reader.location
        let isWord = ["true", "false", "null"].contains { word in
            var copy = reader
            return copy.take(word: word)
        }
        if reader.isAtPath && !isWord { return .compareValues(path, comparison, try self.path()) }
        let literal = try literal()
        if KnownMember.type(of: path) == .time { return .compareTime(comparison, try time(literal, start)) }
        try check(path, comparison: comparison, literal: literal, at: start)
        return .compare(path, comparison, literal)
    }

    private func time(_ literal: Literal, _ start: String.Index) throws(TypedTextError) -> EventTime {
        switch literal {
        case .number: if let time = EventTime(secondsSince1970: reader.text(from: start)) { return time }
        case .text(let text):
            if let time = TimeExpression(String(decoding: text, as: UTF8.self))?.time(now: now) { return time }
        default: break
        }
        throw reader.error(
            "expected a time: seconds since 1970, or a text such as \"2018-09-12T11:54:07Z\" or \"-15m\"", at: start
        )
    }

    private mutating func literal() throws(TypedTextError) -> Literal {
        if reader.next == "\"" || reader.next == "'" {
            return .text(Array(try reader.quoted().utf8))
        }
        if reader.take(word: "true") { return .bool(true) }
        if reader.take(word: "false") { return .bool(false) }
        if reader.take(word: "null") { return .null }
        if let number = try reader.number() { return .number(number) }
        throw reader.error("expected a value: text in quotes, a number, true, false or null")
    }

    private mutating func path() throws(TypedTextError) -> EventPath {
        reader.skipSpace()
        let start = reader.location
        let isForced = reader.next == "."
        let path = try reader.path()
        if !isForced, let reason = KnownMember.whyUnknown(path) { throw reader.error(reason, at: start) }
        return path
    }

    /// Rejects comparisons that can never hold.
    private func check(
        _ path: EventPath, comparison: Condition.Comparison, literal: Literal, at start: String.Index
    ) throws(TypedTextError) {
        if comparison != .equal && comparison != .notEqual {
            switch literal {
            case .text, .number: break
            case .bool, .null:
                throw reader.error("\(literal.typeName) has no order: use == or !=", at: start)
            }
        }
        switch (KnownMember.type(of: path), literal) {
        case (.text?, .number): throw reader.error("\(path) is text: put quotes around the value", at: start)
        case (.number?, .text): throw reader.error("\(path) is a number: remove the quotes", at: start)
        case (.text?, .bool), (.text?, .null), (.number?, .bool), (.number?, .null):
            throw reader.error("\(path) is never \(literal.typeName)", at: start)
        default: break
        }
    }
}

extension Condition.Comparison {
    fileprivate func node(_ path: EventPath, _ parser: inout ConditionParser) throws(TypedTextError) -> Condition.Node {
        try parser.right(path, self)
    }
}

extension TypedText {
    /// Parses a number, if there is one.
    mutating func number() throws(TypedTextError) -> Literal.Number? {
        var ahead = self
        var digits = ahead.take {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
        }
        guard let first = digits.unicodeScalars.first, !first.properties.isAlphabetic else { return nil }
        guard let number = digits.withUTF8({ Literal.Number(UnsafeRawBufferPointer($0)) }) else {
            throw error("invalid number '\(digits)': write it as in JSON, or as text in quotes")
        }
        self = ahead
        return number
    }
}
