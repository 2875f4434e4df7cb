package import EventModel
package import TrackingPlan

/// What became of a plan.
package struct PlanDiff: Sendable {
    /// What was compared with: `git:HEAD`, a folder; nil if the versions of one plan were compared with each other.
    package let against: String?
    /// The container and the events, by name; those that did not change too.
    package let events: [EventDiff]
    /// What became of the app's pages; nil if neither plan lists them, or there is no old plan.
    package let pages: PagesDiff?
    /// What became of the events without a schema; nil if neither plan lists them, or there is no old plan.
    package let unplanned: UnplannedDiff?

    /// How many findings there are: versions whose numbers promise too much, published versions that changed, pages that
    /// break old lines.
    package var findingCount: Int { events.reduce(0) { $0 + $1.findingCount } + (pages?.breaks.count ?? 0) }
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
        let plan = try EventPlan(folder)
        let new = PlanSide(folder, plan)
        var before: PlanSide?
        var pages: PagesDiff?
        var unplanned: UnplannedDiff?
        if let old {
            let published = old.folder.hasPlan ? try EventPlan(old.folder) : nil
            before = PlanSide(old.folder, published)
            if published?.pages != nil || plan.pages != nil {
                pages = PagesDiff(old: published?.pages, new: plan.pages)
            }
            unplanned = UnplannedDiff(old: published, new: plan)
        }
        // The container stands where its name stands in the order.
        let folders = new.folders.union(before?.folders ?? []).map { ($0, $0.split(separator: "/").last ?? "") }
        var events: [EventDiff] = []
        for (folder, _) in folders.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) {
            events.append(try EventDiff(folder, old: before, new: new))
        }
        self.init(against: old?.name, events: events, pages: pages, unplanned: unplanned)
    }
}

/// A version that was published and is not what it was.
package struct PublishedIssue: Sendable {
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
