internal import TrackingPlan

/// The changes of the events that an app may send without a schema. Reports show each change; none is a finding,
/// because every entry is temporary: it is removed when the event gets a schema or is no longer sent.
///
/// For the same reason no lock contains the list. A locked page can't be removed, because valid lines name it. A line
/// of an unplanned event was never valid, and after its entry is removed, it is still readable as `unknown-event`.
package struct UnplannedDiff: Sendable {
    /// An entry that only one of the plans has.
    package struct Entry: Hashable, Sendable {
        package let name: String
        /// The last day on which the event may have no schema; nil for no limit.
        package let until: String?
        /// Whether the new plan has a schema of the event.
        package let isPlanned: Bool
    }

    /// An entry with a different last day.
    package struct Move: Hashable, Sendable {
        package let name: String
        /// The last day in the old plan; nil for no limit.
        package let old: String?
        /// The last day in the new plan; nil for no limit.
        package let new: String?
    }

    /// The entries that only the new plan has, in the order of the new file.
    package let added: [Entry]
    /// The entries that only the old plan has, in the order of the old file.
    package let removed: [Entry]
    /// The entries with a different `until`, in the order of the old file.
    package let moved: [Move]

    /// Compares two lists; nil if neither plan has one.
    init?(old: EventPlan?, new: EventPlan) {
        guard old?.unplanned != nil || new.unplanned != nil else { return nil }
        let before = old?.unplanned?.events ?? []
        let after = new.unplanned?.events ?? []
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

    /// One line for each change, for people.
    var lines: [String] {
        added.map { "unplanned event added: \($0.name), \(Self.limit($0.until))" }
            + removed.map { entry in
                "unplanned event removed: \(entry.name), "
                    + (entry.isPlanned ? "it now has a schema" : "its lines are reported as unknown-event")
            }
            + moved.map { "unplanned event \($0.name): \(Self.limit($0.old)) -> \(Self.limit($0.new))" }
    }

    private static func limit(_ until: String?) -> String { until.map { "until \($0)" } ?? "no limit" }
}
