/// The state that the tracking store publishes: the events that were sent.
public struct TrackingState: Encodable, Sendable {
    /// The last container; nil before the first event.
    public var last: TrackingContainer?
    /// The number of sent events by event name.
    ///
    /// - Complexity: O(number of event types).
    public var counts: [String: Int] { tally.counts }

    private var tally = EventTally()

    private enum Key: String, CodingKey { case last, counts }

    /// Encodes the last container and the counts.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encodeIfPresent(last, forKey: .last)
        try members.encode(counts, forKey: .counts)
    }

    mutating func add(_ container: TrackingContainer) {
        if last?.become(container) == nil { last = container }
        let event: any TrackingEvent = container.event
        tally.count(event)
    }
}

/// Counts events by type, without hashing a string per event.
struct EventTally: Sendable {
    private struct Entry {
        let name: String
        var count: Int
    }

    private var entries: [Entry] = []
    private var indices: [ObjectIdentifier: Int] = [:]
    private var last: (type: ObjectIdentifier, index: Int)?

    /// The counts by name. Types with the same name share a count.
    var counts: [String: Int] {
        Dictionary(entries.map { ($0.name, $0.count) }, uniquingKeysWith: +)
    }

    // Generic, to avoid looking up the type of an existential.
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
