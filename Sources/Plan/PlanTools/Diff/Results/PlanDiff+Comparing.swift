internal import EventModel
package import TrackingPlan

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
