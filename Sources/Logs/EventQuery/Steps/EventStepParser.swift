internal import EventLog
internal import EventModel

/// Reads steps; their grammar is at ``EventStep``.
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

    /// A step and the space around it.
    private mutating func step() throws(TypedTextError) -> EventStep {
        reader.skipSpace()
        let start = reader.place
        let name = try pattern("an event's name, such as search") { TextPattern(glob: $0) }
        let value =
            reader.take(":")
            ? try pattern("a text of the event's value, such as page-view:search") { TextPattern(exactly: $0) } : nil
        let condition = reader.take("{") ? try condition() : nil
        let source = Self.trimmed(reader.text(from: start))
        reader.skipSpace()
        return EventStep(source: source, name: name, value: value, condition: condition)
    }

    /// A text, in quotes or not, and the space around it.
    private mutating func pattern(
        _ expected: String, _ unquoted: (String) -> TextPattern
    ) throws(TypedTextError) -> TextPattern {
        reader.skipSpace()
        if reader.next == "\"" {
            let text = try reader.quoted()
            reader.skipSpace()
            return TextPattern(exactly: text)
        }
        let start = reader.place
        let text = Self.trimmed(reader.take { !Self.marks.contains($0) })
        guard !text.isEmpty else { throw reader.error("expected \(expected)", at: start) }
        return unquoted(text)
    }

    /// What stands in braces; the first one has been stepped over.
    private mutating func condition() throws(TypedTextError) -> Condition {
        let start = reader.place
        let source = try inBraces()
        do {
            return try Condition(source, now: now)
        } catch {
            throw reader.error(error.reason, at: reader.source.index(start, offsetBy: error.offset))
        }
    }

    /// The text up to the brace that closes, which may stand in quotes before.
    private mutating func inBraces() throws(TypedTextError) -> String {
        let start = reader.place
        while let next = reader.next {
            if next == "}" {
                defer { _ = reader.take() }
                return reader.text(from: start)
            }
            if next == "\"" || next == "'" { _ = try reader.quoted() } else { _ = reader.take() }
        }
        throw reader.error("the brace that opens here is never closed", at: reader.source.index(before: start))
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? "")
    }
}
