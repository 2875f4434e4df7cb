internal import TrackingPlan

/// Compares two schemas: lists the changes and the bump that they need.
struct VersionComparer {
    let old: PlanSide
    let new: PlanSide

    /// - Throws: ``PlanError`` with code `.notASchema` if one of them doesn't compile.
    func compare(_ before: PlanSchema, _ after: PlanSchema) throws(PlanError) -> VersionDiff {
        let words = SchemaWords([before.document, after.document])
        let check = WitnessCheck(old: try old.judge(before), new: try new.judge(after), order: words.order)
        let roots = (old: try old.library.root(of: before), new: try new.library.root(of: after))
        let sets = SetComparison(roots.old, roots.new, words: words, check: check)
        let found = ChangeFinder.changes(from: roots.old, in: old.library, to: roots.new, in: new.library)
        let changes = found.map { Self.judged($0, sets) }
        var needed = changes.map(\.needed).max() ?? .none
        if !sets.oldInNew.witnesses.isEmpty { needed = .model }
        // A difference that no rule names still needs at least a revision.
        if changes.isEmpty, !sets.newInOld.witnesses.isEmpty { needed = max(needed, .revision) }
        return VersionDiff(
            name: after.name, old: before.version, new: after.version, file: new.folder.location(of: after.path),
            declared: SchemaBump(from: before.version, to: after.version), needed: needed,
            basis: Self.basis(sets.oldInNew), openReason: sets.oldInNew.openReason, changes: changes,
            witness: sets.oldInNew.witnesses.first)
    }

    private static func basis(_ answer: SetAnswer) -> ChangeBasis {
        switch answer {
        case .contained: .proof
        case .escapes: .witness
        case .open: .rule
        }
    }

    /// Returns the change with the more precise result of the set comparison.
    private static func judged(_ change: SchemaChange, _ sets: SetComparison) -> SchemaChange {
        var change = change
        guard change.rule.isAboutValidity else { return change }
        if sets.oldInNew.isContained {
            change.needed = min(change.rule.bump, sets.newInOld.isContained ? .addition : .revision)
            change.basis = .proof
        }
        if change.needed == .model {
            change.witness = best(sets.oldInNew.witnesses, for: change)
            if change.witness != nil { change.basis = .witness }
        } else {
            change.witness = best(sets.newInOld.witnesses, for: change)
        }
        return change
    }

    /// Returns the witness of a change: it differs at the same location, or the same keyword rejects it.
    private static func best(_ witnesses: [DiffWitness], for change: SchemaChange) -> DiffWitness? {
        func points(_ witness: DiffWitness) -> Int {
            let isNear = zip(witness.trail, change.path).allSatisfy { $1 == "*" || $0 == $1 }
            let isThere = isNear && witness.trail.count == change.path.count
            let isBroken = witness.rejections.contains { $0.keyword == change.keyword || $0.way.last == change.keyword }
            let isOnTheWay = witness.rejections.contains { $0.way.contains(change.keyword) }
            return (isThere ? 4 : isNear ? 1 : 0) + (isBroken ? 3 : isOnTheWay ? 2 : 0)
        }
        var found: (points: Int, witness: DiffWitness)?
        for witness in witnesses {
            let points = points(witness)
            if points >= 3, points > found?.points ?? 0 { found = (points, witness) }
        }
        return found?.witness
    }
}
