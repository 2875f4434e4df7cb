internal import TrackingPlan

/// What became of the events that an app may send without a schema. Reviewers see each change; none is a finding: an entry is
/// made to be removed, when the event gets its schema or is sent no more.
///
/// For the same reason no lock holds the list. A locked page can't be removed, because valid lines name it; a line of an
/// unplanned event was never valid, and the lines of a removed entry stay readable as `unknown-event`.
package struct UnplannedDiff: Sendable {
    /// An entry that only one of the plans has.
    package struct Entry: Hashable, Sendable {
        /// The event's name.
        package let name: String
        /// The last day on which the event may be without a schema; nil for no limit.
        package let until: String?
        /// Whether the new plan has a schema of the event.
        package let isPlanned: Bool
    }

    /// An entry with another last day.
    package struct Move: Hashable, Sendable {
        /// The event's name.
        package let name: String
        /// The last day in the old plan; nil for no limit.
        package let old: String?
        /// The last day in the new plan; nil for no limit.
        package let new: String?
    }

    /// The entries that the old plan doesn't have, in the order of the new file.
    package let added: [Entry]
    /// The entries that the new plan doesn't have, in the order of the old file.
    package let removed: [Entry]
    /// The entries whose `until` is another day, in the order of the old file.
    package let moved: [Move]

    /// Compares two lists; nil if neither plan has one.
    init?(old: EventPlan?, new: EventPlan) {
        guard old?.unplanned != nil || new.unplanned != nil else { return nil }
        let (before, after) = (old?.unplanned?.events ?? [], new.unplanned?.events ?? [])
        func entry(_ event: UnplannedList.Event) -> Entry {
            Entry(
                name: event.name, until: event.until, isPlanned: new.events.contains { $0.name == event.name })
        }
        added = after.filter { event in !before.contains { $0.name == event.name } }.map(entry)
        removed = before.filter { event in !after.contains { $0.name == event.name } }.map(entry)
        moved = before.compactMap { event in
            guard let now = after.first(where: { $0.name == event.name }), now.until != event.until else { return nil }
            return Move(name: event.name, old: event.until, new: now.until)
        }
    }

    /// A line for each change, for people.
    var lines: [String] {
        added.map { "unplanned event added: \($0.name), \(Self.limit($0.until))" }
            + removed.map { entry in
                "unplanned event removed: \(entry.name), "
                    + (entry.isPlanned ? "it has a schema now" : "its lines are reported as unknown-event")
            }
            + moved.map { "unplanned event \($0.name): \(Self.limit($0.old)) -> \(Self.limit($0.new))" }
    }

    private static func limit(_ until: String?) -> String { until.map { "until \($0)" } ?? "no limit" }
}
