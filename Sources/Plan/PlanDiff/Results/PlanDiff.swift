package import EventModel
package import TrackingPlan

/// The changes between two forms of a plan.
package struct PlanDiff: Sendable {
    /// The compared plan, `git:HEAD` or a folder; nil if neighboring versions of one plan were compared.
    package let against: String?
    /// The container and all events by name, including unchanged ones.
    package let events: [EventDiff]
    /// The changes of the app's pages; nil if neither plan lists pages, or there is no old plan.
    package let pages: PagesDiff?
    /// The changes of the events without a schema; nil if neither plan lists any, or there is no old plan.
    package let unplanned: UnplannedDiff?

    /// The number of findings: version numbers that promise too much, changed published versions, and pages that break
    /// old lines.
    package var findingCount: Int { events.reduce(0) { $0 + $1.findingCount } + (pages?.breaks.count ?? 0) }
}

extension PlanDiff {
    /// Compares a plan with its old form.
    ///
    /// - Parameters:
    ///   - folder: The current plan.
    ///   - old: The published plan, and its name in reports, which becomes part of its file names. If it has no
    ///     schemas, everything is new. Without an old plan, neighboring versions of the one plan are compared.
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
        // Sort the container by its name, among the events.
        let folders = new.folders.union(before?.folders ?? []).map { ($0, $0.split(separator: "/").last ?? "") }
        var events: [EventDiff] = []
        for (folder, _) in folders.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) {
            events.append(try EventDiff(folder, old: before, new: new))
        }
        self.init(against: old?.name, events: events, pages: pages, unplanned: unplanned)
    }
}

/// A published version that changed.
package struct PublishedIssue: Sendable {
    /// The kind of change.
    package enum Kind: String, Sendable {
        /// The file has different content.
        case changed
        /// The file is missing.
        case vanished
    }

    /// The kind of change.
    package let kind: Kind
    package let name: String
    package let version: SchemaVersion
    /// The file, as messages name it.
    package let file: String
    /// The changes; nil if the file is missing.
    package let diff: VersionDiff?
    /// The next free version for the changed schema; nil if the file is missing.
    package let proposed: SchemaVersion?
}
