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

    mutating func count(_ event: any TrackingEvent) {
        let event = Swift.type(of: event)
        let type = ObjectIdentifier(event)
        if let last, last.type == type {
            entries[last.index].count += 1
            return
        }
        let index = indices[type] ?? entries.count
        if index == entries.count {
            entries.append(Entry(name: event.name, count: 0))
            indices[type] = index
        }
        entries[index].count += 1
        last = (type, index)
    }
}
