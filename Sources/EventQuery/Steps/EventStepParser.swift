internal import EventLog

/// Reads steps; their grammar is at ``EventStep``.
struct EventStepParser {
    private static let marks: Set<Character> = [">", ":", "{", "}"]

    private var reader: QueryReader
    private let now: EventTime

    init(_ source: String, now: EventTime) {
        reader = QueryReader(source)
        self.now = now
    }

    mutating func list() throws(QueryError) -> [EventStep] {
        var steps = [try step()]
        while reader.take(">") { steps.append(try step()) }
        guard reader.isAtEnd else { throw reader.error("expected '>' and the next step, or the end") }
        return steps
    }

    /// A step and the space around it.
    private mutating func step() throws(QueryError) -> EventStep {
        reader.skipSpace()
        let start = reader.rest
        let name = try pattern("an event's name, such as search") { TextPattern(glob: $0) }
        let value =
            reader.take(":")
            ? try pattern("a text of the event's value, such as page-view:search") { TextPattern(exactly: $0) } : nil
        let condition = reader.take("{") ? try condition() : nil
        var source = QueryReader(String(start[..<reader.rest.startIndex]))
        reader.skipSpace()
        return EventStep(source: source.text(upTo: []), name: name, value: value, condition: condition)
    }

    /// A text, in quotes or not, and the space around it.
    private mutating func pattern(
        _ expected: String, _ unquoted: (String) -> TextPattern
    ) throws(QueryError) -> TextPattern {
        reader.skipSpace()
        if reader.rest.first == "\"" {
            let text = try reader.quoted()
            reader.skipSpace()
            return TextPattern(exactly: text)
        }
        let start = reader.offset
        let text = reader.text(upTo: Self.marks)
        guard !text.isEmpty else { throw reader.error("expected \(expected)", at: start) }
        return unquoted(text)
    }

    /// What stands in braces; the first one has been stepped over.
    private mutating func condition() throws(QueryError) -> Condition {
        let start = reader.offset
        let source = try inBraces()
        do {
            return try Condition(source, now: now)
        } catch {
            throw reader.error(error.reason, at: start + error.offset)
        }
    }

    /// The text up to the brace that closes, which may stand in quotes before.
    private mutating func inBraces() throws(QueryError) -> String {
        let start = reader.offset - 1
        var text = ""
        while let next = reader.rest.first {
            if reader.take("}") { return text }
            if next == "\"" || next == "'" {
                let quoted = reader.rest
                _ = try reader.quoted()
                text += quoted[..<reader.rest.startIndex]
            } else {
                text.append(next)
                _ = reader.take(String(next))
            }
        }
        throw reader.error("the brace that opens here is never closed", at: start)
    }
}
