package import EventModel
internal import JSONSchema
internal import TrackingPlan

/// The changes of one event, or of the container, between two plans.
package struct EventDiff: Sendable {
    package let name: String
    /// The versions that only the new plan has, the oldest first; all versions if there is no old plan.
    package let added: [SchemaVersion]
    /// Whether the old plan lacks the event; always true if there is no old plan.
    package let isNew: Bool
    /// The pairs of versions that were compared.
    package let comparisons: [Compared]
    /// The published versions that changed.
    package let issues: [PublishedIssue]

    /// A pair of versions, with the version number that the newer one should have.
    package struct Compared: Sendable {
        package let diff: VersionDiff
        /// The required version; nil if the actual one is right.
        package let proposed: SchemaVersion?
    }

    package var findingCount: Int { issues.count + comparisons.count { $0.diff.isTooSmall } }
}

extension EventDiff {
    /// - Parameter folder: The folder of the schemas. An event may be named `container` as well.
    init(_ folder: String, old: PlanSide?, new: PlanSide) throws(PlanError) {
        let current = new.schemas(in: folder)
        let published = old?.schemas(in: folder) ?? []
        let isPublished = Set(published.map(\.version))
        let added = current.filter { !isPublished.contains($0.version) }
        var compared: [Compared] = []
        func compare(_ before: PlanSchema, in side: PlanSide, _ after: PlanSchema) throws(PlanError) {
            let known = compared.contains { $0.diff.old == before.version && $0.diff.new == after.version }
            guard !known else { return }
            let diff = try VersionComparer(old: side, new: new).compare(before, after)
            let proposed = diff.isTooSmall ? Self.free(diff.needed, after: before.version, current) : nil
            compared.append(Compared(diff: diff, proposed: proposed))
        }
        if let old, let newest = published.last {
            for schema in added where schema.version > newest.version { try compare(newest, in: old, schema) }
        }
        // Compare neighbors within the new plan, except pairs that are already published.
        for (before, after) in zip(current, current.dropFirst())
        where !isPublished.contains(before.version) || !isPublished.contains(after.version) {
            try compare(before, in: new, after)
        }
        var issues: [PublishedIssue] = []
        for schema in published {
            if let issue = try Self.issue(schema, old: old, new: new, current: current) { issues.append(issue) }
        }
        self.init(
            name: (current + published).first?.name ?? folder, added: added.map(\.version), isNew: published.isEmpty,
            comparisons: compared, issues: issues)
    }

    private static func issue(
        _ schema: PlanSchema, old: PlanSide?, new: PlanSide, current: [PlanSchema]
    ) throws(PlanError) -> PublishedIssue? {
        guard let old else { return nil }
        let file = new.folder.location(of: schema.path)
        guard let now = new.schema(at: schema.path) else {
            return PublishedIssue(
                kind: .vanished, name: schema.name, version: schema.version, file: file, diff: nil, proposed: nil)
        }
        guard now.document.bytes != schema.document.bytes else { return nil }
        let diff = try VersionComparer(old: old, new: new).compare(schema, now)
        return PublishedIssue(
            kind: .changed, name: schema.name, version: schema.version, file: file, diff: diff,
            proposed: free(max(diff.needed, .addition), after: schema.version, current))
    }

    /// Returns the next version of a kind that is not in use.
    private static func free(_ bump: SchemaBump, after version: SchemaVersion, _ taken: [PlanSchema]) -> SchemaVersion {
        var next = bump.next(after: version)
        while taken.contains(where: { $0.version == next }), bump.next(after: next) != next {
            next = bump.next(after: next)
        }
        return next
    }
}
