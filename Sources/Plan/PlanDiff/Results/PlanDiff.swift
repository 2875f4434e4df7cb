package import EventModel
package import TrackingPlan

/// What became of a plan.
package struct PlanDiff: Sendable {
    /// What was compared with: `git:HEAD`, a folder; nil if the versions of one plan were compared with each other.
    package let against: String?
    /// The container and the events, by name; those that did not change too.
    package let events: [EventDiff]

    /// How many findings there are: versions whose numbers promise too much, published versions that changed.
    package var findingCount: Int { events.reduce(0) { $0 + $1.findingCount } }
}

extension PlanDiff {
    /// Compares a plan with what it was.
    ///
    /// - Parameters:
    ///   - folder: The plan as it is.
    ///   - old: The plan as it was published, and how it is named in reports; its name becomes a part of its files'
    ///     names. If it holds no schema, all is new. Without it, the neighbouring versions within the one plan are
    ///     compared.
    /// - Throws: ``PlanError`` with code `.notASchema` if a schema cannot be read or compiled.
    package init(_ folder: PlanFolder, against old: (folder: PlanFolder, name: String)? = nil) throws(PlanError) {
        let new = PlanSide(folder, try EventPlan(folder))
        var before: PlanSide?
        if let old { before = PlanSide(old.folder, old.folder.hasSchemas ? try EventPlan(old.folder) : nil) }
        // The container stands where its name stands in the order.
        let folders = new.folders.union(before?.folders ?? []).map { ($0, $0.split(separator: "/").last ?? "") }
        var events: [EventDiff] = []
        for (folder, _) in folders.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) {
            events.append(try EventDiff(folder, old: before, new: new))
        }
        self.init(against: old?.name, events: events)
    }
}

/// A version that was published and is not what it was.
package struct PublishedFault: Sendable {
    /// What happened to it.
    package enum Kind: String, Sendable {
        /// Its file has other bytes.
        case changed
        /// Its file is gone.
        case vanished
    }

    /// What happened to it.
    package let kind: Kind
    /// The event's name.
    package let name: String
    /// The version.
    package let version: SchemaVersion
    /// The file, as messages name it.
    package let file: String
    /// What changed in it; nil if it is gone.
    package let diff: VersionDiff?
    /// The version that the changed schema could have; nil if it is gone.
    package let proposed: SchemaVersion?
}
