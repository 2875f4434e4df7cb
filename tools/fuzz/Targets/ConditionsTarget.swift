internal import EventModel
internal import EventQuery

/// The languages of conditions, steps and patterns: any text is parsed or rejected at an offset within it, and combined
/// conditions evaluate correctly.
///
/// An input is a text, a line feed, and a line to evaluate.
package final class ConditionsTarget: FuzzTarget {
    package static let name = "conditions"

    private static let now = EventTime(microseconds: 1_536_753_247_351_338)
    private static let line = Array(
        ##"""
        {"v":1,"id":"018f3c00-0000-7000-8000-000000000001","install_id":"a","seq":7,"session_id":"s","user_id":"u\u0031",\##
        "time":1536753247.351338,"schema":"search/1-0-0","plan":null,"event":{"name":"search","value":{"query":"flux é",\##
        "page":2,"price":1.5,"labels":["a",{"b":true}],"isNew":true,"my.key":"x"}}}
        """##.utf8)

    package init() throws {}

    package func seeds() throws -> [[UInt8]] {
        ConditionSeeds.all.map { Array($0.utf8) + [UInt8(ascii: "\n")] + Self.line }
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        let lines = [Self.line, Array(bytes.dropFirst(end + 1))]
        try checkCondition(text, lines)
        try checkSteps(text, lines)
        try checkPattern(text)
        _ = EventSample(share: text, key: .id)
        if let cursor = EventCursor(text) {
            try require(EventCursor(cursor.description)?.description == cursor.description, "a cursor changes")
        }
    }

    private func checkCondition(_ text: String, _ lines: [[UInt8]]) throws {
        guard let condition = try Self.read(text, { try Condition($0, now: Self.now) }) else { return }
        let again = try Condition(" ( \(text) ) ", now: Self.now)
        let opposite = try Condition("!( \(text) )", now: Self.now)
        let both = try Condition("( \(text) ) && ( \(text) ) || ( \(text) )", now: Self.now)
        for line in lines {
            try line.withUnsafeBytes { bytes in
                // Only lines of events are evaluated.
                guard let event = try? EventLineScanner(condition.members).scan(bytes) else { return }
                let holds = condition.holds(event)
                try require(
                    again.holds(event) == holds && both.holds(event) == holds && opposite.holds(event) == !holds,
                    "a condition in parentheses has a different result")
            }
        }
    }

    private func checkSteps(_ text: String, _ lines: [[UInt8]]) throws {
        guard let steps = try Self.read(text, { try EventStep.list($0, now: Self.now) }) else { return }
        for step in steps {
            let alone = try EventStep.list(step.source, now: Self.now)
            try require(alone.map(\.source) == [step.source], "a single step has a different source")
            for line in lines {
                try line.withUnsafeBytes { bytes in
                    guard let event = try? EventLineScanner(step.members).scan(bytes) else { return }
                    try require(
                        step.matches(event) == alone[0].matches(event), "a single step has a different result")
                }
            }
        }
    }

    /// Parses a text; nil if it is rejected, which must be at an offset within it.
    private static func read<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value? {
        do { return try body(text) } catch let error as TypedTextError {
            try require(
                error.source == text && (0...text.count).contains(error.offset) && !error.reason.isEmpty
                    && error.description.hasSuffix("^"),
                "a text is rejected at \(error.offset), which is outside of it")
            return nil
        }
    }

    /// The first half of a text as a pattern, the second as what may match it.
    private func checkPattern(_ text: String) throws {
        let scalars = Array(text.unicodeScalars.prefix(24))
        let glob = String(String.UnicodeScalarView(scalars.prefix(scalars.count / 2)))
        let other = String(String.UnicodeScalarView(scalars.suffix(scalars.count - scalars.count / 2)))
        for subject in [other, glob] {
            let matches = Array(subject.utf8).withUnsafeBytes { TextMatcher(glob: glob).matches($0) }
            try require(
                matches == SlowPattern.matches(glob.unicodeScalars[...], subject.unicodeScalars[...]),
                "a pattern and its definition differ")
            try require(
                Array(subject.utf8).withUnsafeBytes { TextMatcher(exactly: subject).matches($0) },
                "a text does not match itself")
        }
    }
}

/// Patterns by their definition.
private enum SlowPattern {
    static func matches(_ glob: Substring.UnicodeScalarView, _ text: Substring.UnicodeScalarView) -> Bool {
        guard let first = glob.first else { return text.isEmpty }
        let rest = glob.dropFirst()
        switch first {
        case "*": return matches(rest, text) || (!text.isEmpty && matches(glob, text.dropFirst()))
        case "?": return !text.isEmpty && matches(rest, text.dropFirst())
        case "\\" where !rest.isEmpty: return text.first == rest.first && matches(rest.dropFirst(), text.dropFirst())
        default: return text.first == first && matches(rest, text.dropFirst())
        }
    }
}
