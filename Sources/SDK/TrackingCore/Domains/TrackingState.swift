/// What the tracking store exposes: what was sent.
public struct TrackingState: Encodable, Sendable {
    /// The last container; nil before the first.
    public var last: TrackingContainer?
    /// How many were sent, by event name.
    ///
    /// - Complexity: O(types of events).
    public var counts: [String: Int] { tally.counts }

    private var tally = EventTally()

    private enum Key: String, CodingKey { case last, counts }

    /// Writes the last container and the counts.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encodeIfPresent(last, forKey: .last)
        try members.encode(counts, forKey: .counts)
    }

    /// Takes a container in.
    mutating func add(_ container: TrackingContainer) {
        if last?.become(container) == nil { last = container }
        let event: any TrackingEvent = container.event
        tally.count(event)
    }
}

/// Counts events by type: no string is hashed for an event.
struct EventTally: Sendable {
    private struct Entry {
        let name: String
        var count: Int
    }

    private var entries: [Entry] = []
    private var indices: [ObjectIdentifier: Int] = [:]
    private var last: (type: ObjectIdentifier, index: Int)?

    /// The counts by name; types of the same name are one.
    var counts: [String: Int] {
        Dictionary(entries.map { ($0.name, $0.count) }, uniquingKeysWith: +)
    }

    // Generic, so that the type of an existential need not be looked up.
    mutating func count<Event: TrackingEvent>(_: Event) {
        let type = ObjectIdentifier(Event.self)
        if let last, last.type == type {
            entries[last.index].count += 1
            return
        }
        let index = indices[type] ?? entries.count
        if index == entries.count {
            entries.append(Entry(name: Event.name, count: 0))
            indices[type] = index
        }
        entries[index].count += 1
        last = (type, index)
    }
}
