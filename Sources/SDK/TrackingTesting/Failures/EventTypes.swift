internal import TrackingCore

/// Distinguishes event types with the same name in a failure: their events look alike, but a pattern matches only its
/// own type.
struct EventTypes {
    /// The types by name, from an expectation and the events.
    private var types: [String: Set<ObjectIdentifier>] = [:]

    init(_ patterns: [EventPattern], _ containers: [TrackingContainer]) {
        for type in patterns.map(\.type) + containers.map(Self.type) {
            types[type.name, default: []].insert(ObjectIdentifier(type))
        }
    }

    /// A pattern in one line.
    func text(_ pattern: EventPattern) -> String { pattern.description + suffix(pattern.type) }

    /// An event in one line.
    func text(of container: TrackingContainer) -> String {
        EventText.text(container) + suffix(Self.type(of: container))
    }

    /// Whether an event has the name of a pattern's events, but another type.
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
