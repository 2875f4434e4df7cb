internal import EventLog
package import EventModel

/// A step of a way through events: `search`, `page-view:repository-detail`, `search{event.value.page == 1}`.
///
/// | form | takes |
/// |---|---|
/// | `GLOB` | events of a name that matches: `*` any text, `?` any one character |
/// | `GLOB:TEXT` | of these, events whose value is the text, or an object with a member of its own that is the text |
/// | `GLOB{CONDITION}`, `GLOB:TEXT{CONDITION}` | of these, events for which a ``Condition`` holds |
///
/// A name or a text with `>`, `:`, `{` or `}` in it stands in quotes, with the escapes of JSON; then `*` and `?` are
/// themselves.
package struct EventStep: Sendable {
    /// The step as it was written, without the space around it.
    package let source: String
    let name: TextPattern
    let value: TextPattern?
    let condition: Condition?

    /// What must be known of a line to tell, beside its event.
    package var members: EventLineScanner.Members { condition?.members ?? [] }

    /// Reads steps with `>` between them.
    ///
    /// - Parameter now: What times such as `-15m` in conditions count from.
    /// - Throws: `TypedTextError`.
    package static func list(_ source: String, now: EventTime) throws(TypedTextError) -> [EventStep] {
        var parser = EventStepParser(source, now: now)
        return try parser.list()
    }

    /// Whether an event takes the step.
    package func matches(_ line: EventLine) -> Bool {
        guard line.matches(line.name, name) else { return false }
        if let value, !line.hasValue(value) { return false }
        return condition?.holds(line) ?? true
    }
}

extension EventLine {
    /// Whether the event's value is a text, or an object with a member of its own that is the text.
    fileprivate func hasValue(_ text: TextPattern) -> Bool {
        switch value(at: .eventValue) {
        case .text(let value): return text.matches(escaped: value)
        case .nested(let object):
            guard let bytes = object.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
            var isFound = false
            JSONBytes.forEachMember(bytes, 0, object.count) { _, start in
                guard let end = JSONBytes.skipValue(bytes, start, object.count) else { return false }
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
