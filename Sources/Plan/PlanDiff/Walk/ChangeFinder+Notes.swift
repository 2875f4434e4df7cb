internal import EventModel
internal import JSONSchema
internal import TrackingPlan

extension ChangeFinder {
    /// Compares the members of a schema that reject no value, sorted by name.
    mutating func compareNotes(_ pair: SchemaPair) {
        for name in pair.old.names.union(pair.new.names).sorted() {
            switch SchemaMemberName(name) {
            case .keyword(let keyword): if !keyword.rejectsValues { compare(keyword, pair) }
            case .annotation(let annotation): compare(annotation, pair)
            // A keyword of older drafts: its schemas apply where they are referenced.
            case .other("definitions"): break
            case .other: compareDocumentation(name, pair)
            }
        }
    }

    private mutating func compare(_ annotation: PlanAnnotation, _ pair: SchemaPair) {
        switch annotation {
        case .pii:
            // Protection is compared across all schemas together; the mark itself is documentation.
            let old = pair.old[.pii]
            let new = pair.new[.pii]
            guard !Self.areEqual(old, new), PersonalProtection(old) == PersonalProtection(new) else { return }
            add(
                "documentation-changed", keyword: annotation.rawValue, old: old, new: new ?? pair.new.schema,
                path: pair.path,
                explanation: "\(annotation.rawValue) changed from \(Self.short(old)) to \(Self.short(new))")
        case .unit: compareUnits(pair)
        case .priority: comparePriorities(pair)
        case .purpose: comparePurposes(pair)
        // These annotations are about the version's own file.
        case .lint, .since: break
        case .open, .purposeJustification, .swiftName, .swiftNames, .swiftType, .swiftLabel, .swiftFactory:
            compareDocumentation(annotation.rawValue, pair)
        }
    }

    private mutating func compareUnits(_ pair: SchemaPair) {
        let old = pair.old[.unit]
        let new = pair.new[.unit]
        guard !Self.areEqual(old, new) else { return }
        let rule = old == nil ? "unit-added" : new == nil ? "unit-removed" : "unit-changed"
        let name = PlanAnnotation.unit.rawValue
        add(
            rule, keyword: name, old: old, new: new ?? pair.new.schema, path: pair.path,
            explanation: "\(name) changed from \(Self.short(old)) to \(Self.short(new))")
    }

    /// Compares the priorities of two events. A missing or ineffective priority counts as normal.
    private mutating func comparePriorities(_ pair: SchemaPair) {
        let old = pair.old[.priority]
        let new = pair.new[.priority]
        let name = PlanAnnotation.priority.rawValue
        guard Self.priority(old) != Self.priority(new) else { return compareDocumentation(name, pair) }
        add(
            "priority-changed", keyword: name, old: old, new: new ?? pair.new.schema, path: pair.path,
            explanation: "\(name) changed from \(Self.short(old)) to \(Self.short(new))")
    }

    private static func priority(_ part: SchemaPart?) -> SchemaPriority {
        guard let part, part.schema.parent == nil else { return .normal }
        return SchemaPriority(part.value) ?? .normal
    }

    /// Compares the purposes of two events. A missing or ineffective purpose counts as analytics.
    private mutating func comparePurposes(_ pair: SchemaPair) {
        let old = pair.old[.purpose]
        let new = pair.new[.purpose]
        let name = PlanAnnotation.purpose.rawValue
        guard Self.purpose(old) != Self.purpose(new) else { return compareDocumentation(name, pair) }
        add(
            "purpose-changed", keyword: name, old: old, new: new ?? pair.new.schema, path: pair.path,
            explanation: "\(name) changed from \(Self.short(old)) to \(Self.short(new))")
    }

    private static func purpose(_ part: SchemaPart?) -> Purpose {
        guard let part, part.schema.parent == nil else { return .analytics }
        return Purpose(schemaValue: part.value) ?? .analytics
    }

    /// Compares documentation, which only people and tools read.
    mutating func compareDocumentation(_ name: String, _ pair: SchemaPair) {
        let old = pair.old[name]
        let new = pair.new[name]
        guard !Self.areEqual(old, new) else { return }
        add(
            "documentation-changed", keyword: name, old: old, new: new ?? pair.new.schema, path: pair.path,
            explanation: old == nil
                ? "\(name) was added" : new == nil ? "\(name) was removed" : "\(name) has different text")
    }

    /// Compares the content keywords of a string.
    mutating func compareContent(_ keyword: SchemaKeyword, _ pair: SchemaPair) {
        let old = pair.old[keyword]
        let new = pair.new[keyword]
        guard !Self.areEqual(old, new) else { return }
        add(
            "content-changed", keyword: keyword, old: old, new: new, path: pair.path,
            explanation: "\(keyword) changed from \(Self.short(old)) to \(Self.short(new))")
    }

    /// Compares the protection of each value, across all schemas that apply to it.
    mutating func comparePersonal(_ old: Subschema, _ new: Subschema) {
        let before = SchemaReach(from: old, in: oldLibrary)
        let after = SchemaReach(from: new, in: newLibrary)
        guard Self.hasMarks(before) || Self.hasMarks(after) else { return }
        let names = NamePatterns()
        let comparison = PersonalComparison(AppliedSchemas(old, names: names), AppliedSchemas(new, names: names))
        let name = PlanAnnotation.pii.rawValue
        for found in comparison.findings {
            let before = PersonalProtection(found.old)
            let after = PersonalProtection(found.new)
            let rule =
                before == .none
                ? "personal-marked"
                : after == .none ? "personal-unmarked" : before < after ? "personal-tightened" : "personal-loosened"
            add(
                rule, keyword: name, old: found.old, new: found.new ?? found.schema, path: found.path,
                explanation: "\(name) changed from \(Self.short(found.old)) to \(Self.short(found.new))")
        }
        if !comparison.isComplete {
            add(
                "personal-unmarked", keyword: name, old: old, new: new, path: [],
                explanation: "too many schemas apply to tell which values are personal")
        }
    }

    private static func hasMarks(_ reach: SchemaReach) -> Bool { reach.schemas.contains { $0[.pii] != nil } }
}
