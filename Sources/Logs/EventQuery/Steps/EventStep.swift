package import EventModel

/// A step of a sequence of events: `search`, `page-view:repository-detail`, `search{event.value.page == 1}`.
///
/// | form | matches |
/// |---|---|
/// | `GLOB` | events by name: `*` any text, `?` any character |
/// | `GLOB:TEXT` | the event's value must be the text, or an object with a direct member that is the text |
/// | `GLOB{CONDITION}`, `GLOB:TEXT{CONDITION}` | a ``Condition`` must hold |
///
/// Put a name or a text that contains `>`, `:`, `{` or `}` in double quotes, with JSON escapes; `*` and `?` are then
/// literal.
package struct EventStep: Sendable {
    /// The step as written, without surrounding space.
    package let source: String
    let name: TextMatcher
    let value: TextMatcher?
    let condition: Condition?

    /// The members of a line that the step needs, in addition to its event.
    package var members: EventLineScanner.Members { condition?.members ?? [] }

    /// Parses steps separated by `>`.
    ///
    /// - Parameter now: The time that relative times in conditions, such as `-15m`, refer to.
    /// - Throws: `TypedTextError`.
    package static func list(_ source: String, now: EventTime) throws(TypedTextError) -> [EventStep] {
        var parser = EventStepParser(source, now: now)
        return try parser.list()
    }

    package func matches(_ line: EventLine) -> Bool {
        guard line.matches(line.name, name) else { return false }
        if let value, !line.hasValue(value) { return false }
        return condition?.holds(line) ?? true
    }
}

extension EventLine {
    /// Whether the event's value is a text, or an object with a direct member that is the text.
    fileprivate func hasValue(_ text: TextMatcher) -> Bool {
        switch value(at: .eventValue) {
        case .text(let value): return text.matches(escaped: value)
        case .nested(let object):
            guard let bytes = object.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
            var isFound = false
            JSONBytes.forEachMember(bytes, from: 0, to: object.count) { _, start in
                guard let end = JSONBytes.skipValue(bytes, from: start, to: object.count) else { return false }
                if case .text(let value) = ValueBytes(UnsafeRawBufferPointer(rebasing: object[start..<end])) {
                    isFound = text.matches(escaped: value)
                }
                return !isFound
            }
            return isFound
        default: return false
        }
    }
}

extension EventPath {
    fileprivate static let eventValue = EventPath(members: "event", "value")
}

/// Parses steps; see ``EventStep`` for the grammar.
struct EventStepParser {
    private static let marks: Set<Unicode.Scalar> = [">", ":", "{", "}"]

    private var reader: TypedText
    private let now: EventTime

    init(_ source: String, now: EventTime) {
        reader = TypedText(source)
        self.now = now
    }

    mutating func list() throws(TypedTextError) -> [EventStep] {
        var steps = [try step()]
        while reader.take(">") { steps.append(try step()) }
        guard reader.isAtEnd else { throw reader.error("expected '>' and the next step, or the end") }
        return steps
    }

    /// Parses a step with surrounding space.
    private mutating func step() throws(TypedTextError) -> EventStep {
        reader.skipSpace()
        let start = reader.location
        let name = try pattern("an event's name, such as search") { TextMatcher(glob: $0) }
        let value =
            reader.take(":")
            ? try pattern("a text of the event's value, such as page-view:search") { TextMatcher(exactly: $0) } : nil
        let condition = reader.take("{") ? try condition() : nil
        let source = Self.trimmed(reader.text(from: start))
        reader.skipSpace()
        return EventStep(source: source, name: name, value: value, condition: condition)
    }

    /// Parses a text, quoted or not, with surrounding space.
    private mutating func pattern(
        _ expected: String, _ unquoted: (String) -> TextMatcher
    ) throws(TypedTextError) -> TextMatcher {
        reader.skipSpace()
        if reader.next == "\"" {
            let text = try reader.quoted()
            reader.skipSpace()
            return TextMatcher(exactly: text)
        }
        let start = reader.location
        let text = Self.trimmed(reader.take { !Self.marks.contains($0) })
        guard !text.isEmpty else { throw reader.error("expected \(expected)", at: start) }
        return unquoted(text)
    }

    /// Parses a condition after its opening brace.
    private mutating func condition() throws(TypedTextError) -> Condition {
        let start = reader.location
        let source = try inBraces()
        do {
            return try Condition(source, now: now)
        } catch {
            throw reader.error(error.reason, at: reader.source.index(start, offsetBy: error.offset))
        }
    }

    /// The text up to the closing brace. Braces in quotes don't count.
    private mutating func inBraces() throws(TypedTextError) -> String {
        let start = reader.location
        while let next = reader.next {
            if next == "}" {
                defer { _ = reader.take() }
                return reader.text(from: start)
            }
            if next == "\"" || next == "'" { _ = try reader.quoted() } else { _ = reader.take() }
        }
        throw reader.error("this brace is never closed", at: reader.source.index(before: start))
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? "")
    }
}
