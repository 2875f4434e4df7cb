internal import TrackingCore

/// Tells event types of one name apart in a failure: their events look alike, and a pattern takes those of its own type only.
struct EventTypes {
    /// The types of each name that an expectation and the events have, by name.
    private var types: [String: Set<ObjectIdentifier>] = [:]

    init(_ patterns: [EventPattern], _ containers: [TrackingContainer]) {
        for type in patterns.map(\.type) + containers.map(Self.type) {
            types[type.name, default: []].insert(ObjectIdentifier(type))
        }
    }

    /// What a pattern takes, in a line.
    func text(_ pattern: EventPattern) -> String { pattern.description + suffix(pattern.type) }

    /// An event, in a line.
    func text(of container: TrackingContainer) -> String {
        EventText.text(container) + suffix(Self.type(of: container))
    }

    /// Whether an event has the name of what a pattern takes, and another type.
    func isLookAlike(_ container: TrackingContainer, of patterns: [EventPattern]) -> Bool {
        let type = Self.type(of: container)
        return patterns.contains { $0.type.name == type.name && $0.type != type }
    }

    private func suffix(_ type: any TrackingEvent.Type) -> String {
        (types[type.name]?.count ?? 0) > 1 ? " (type \(String(reflecting: type)))" : ""
    }

    private static func type(of container: TrackingContainer) -> any TrackingEvent.Type {
        let event: any TrackingEvent = container.event
        return Swift.type(of: event)
    }
}
