internal import EventNaming
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
        let names = Set(new.schemas.map(\.name)).union(before?.schemas.map(\.name) ?? [])
        var events: [EventDiff] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            events.append(try EventDiff(name, old: before, new: new))
        }
        self.init(against: old?.name, events: events)
    }

}
