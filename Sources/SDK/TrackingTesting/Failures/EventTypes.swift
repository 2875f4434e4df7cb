internal import TrackingCore

/// Distinguishes events that look alike in a failure: a pattern matches only its own type, and only events of its sender.
struct EventTypes {
    /// The types by name, from an expectation and the events.
    private var types: [String: Set<ObjectIdentifier>] = [:]

    /// The parts of senders that the patterns name.
    private let sender: EventSender?

    init(_ patterns: [EventPattern], _ events: [EventStep]) {
        let senders = patterns.compactMap(\.sender)
        sender =
            senders.isEmpty
            ? nil
            : EventSender(
                senders.lazy.compactMap(\.user).first, session: senders.lazy.compactMap(\.session).first,
                consent: senders.lazy.compactMap(\.consent).first)
        for type in patterns.map(\.type) + events.map({ Self.type(of: $0) }) {
            types[type.name, default: []].insert(ObjectIdentifier(type))
        }
    }

    /// A pattern in one line.
    func text(_ pattern: EventPattern) -> String { pattern.description + suffix(pattern.type) }

    /// An event in one line.
    func text(of event: EventStep) -> String {
        EventText.text(event.container) + (sender.map { " \($0.parts(of: event))" } ?? "")
            + suffix(Self.type(of: event))
    }

    /// Whether an event has the name of a pattern's events, but another type, or perhaps another sender.
    func isLookAlike(_ event: EventStep, of patterns: [EventPattern]) -> Bool {
        let type = Self.type(of: event)
        return patterns.contains { $0.type.name == type.name && ($0.type != type || $0.sender != nil) }
    }

    private func suffix(_ type: any TrackingEvent.Type) -> String {
        (types[type.name]?.count ?? 0) > 1 ? " (type \(String(reflecting: type)))" : ""
    }

    private static func type(of step: EventStep) -> any TrackingEvent.Type {
        let event: any TrackingEvent = step.container.event
        return Swift.type(of: event)
    }
}
