internal import JSONSchema

extension ChangeFinder {
    mutating func compareAnyOf(_ pair: SchemaPair) {
        let keyword = SchemaKeyword.anyOf
        switch (pair.old[keyword], pair.new[keyword]) {
        case (nil, nil): break
        case (nil, let new?): add("any-of-introduced", keyword, nil, new, pair.path, "anyOf was added")
        case (let old?, nil):
            add(
                "any-of-dropped", keyword, old, pair.new.schema, pair.path, "anyOf was removed", danger: pair.watch)
        case (.some, .some):
            compareParts(
                pair, pair.old.schemas(in: keyword), pair.new.schemas(in: keyword), keyword, added: "any-of-added",
                removed: "any-of-removed")
        }
    }

    mutating func compareCondition(_ pair: SchemaPair, _ keyword: SchemaKeyword) {
        let (old, new) = (pair.old.schema(in: keyword), pair.new.schema(in: keyword))
        guard old != nil || new != nil else { return }
        if let old, let new, areEquivalent(old, new) {
            compare(old, new, at: pair.path, isWatched: pair.isWatched)
            return
        }
        add(
            "condition-changed", keyword, old, new ?? pair.new.schema, pair.path,
            old == nil ? "\(keyword) was added" : new == nil ? "\(keyword) was removed" : "\(keyword) changed")
    }

    mutating func compareReferences(_ pair: SchemaPair) {
        let (old, new) = (pair.old.openReference, pair.new.openReference)
        guard !haveSameTarget(old, new) else { return }
        add(
            "reference-changed", (new ?? old)?.keyword ?? .ref, old, new ?? pair.new.schema, pair.path,
            Self.areEqual(old, new)
                ? "the target of the reference \(Self.short(new)) changed"
                : "the reference changed from \(Self.short(old)) to \(Self.short(new))")
    }

    /// Compares unordered lists of schemas: equivalent schemas are skipped, and the rest is compared in pairs if both
    /// sides have equally many left.
    mutating func compareParts(
        _ pair: SchemaPair, _ old: [Subschema], _ new: [Subschema], _ keyword: SchemaKeyword, added: String,
        removed: String
    ) {
        var gone = old
        var come: [Subschema] = []
        for part in new {
            if let location = gone.firstIndex(where: { areEquivalent($0, part) }) {
                // The documentation may still have changed.
                compare(gone[location], part, at: pair.path, isWatched: pair.isWatched)
                gone.remove(at: location)
            } else {
                come.append(part)
            }
        }
        if gone.count == come.count {
            for (before, after) in zip(gone, come) {
                compare(before, after, at: pair.path, isWatched: pair.isWatched)
            }
            return
        }
        for part in gone {
            add(
                removed, keyword, part, pair.new.schema, pair.path, "\(Self.short(part)) was removed from \(keyword)",
                danger: pair.watch)
        }
        for part in come {
            add(added, keyword, pair.old.schema, part, pair.path, "\(Self.short(part)) was added to \(keyword)")
        }
    }

    mutating func compareAlternatives(_ pair: SchemaPair) {
        let (old, new) = (pair.old[.oneOf], pair.new[.oneOf])
        guard old != nil || new != nil else { return }
        let (before, after) = (pair.old.schemas(in: .oneOf), pair.new.schemas(in: .oneOf))
        if old != nil, new != nil, before.count == after.count, zip(before, after).allSatisfy({ areEquivalent($0, $1) })
        {
            for (before, after) in zip(before, after) {
                compare(before, after, at: pair.path, isWatched: pair.isWatched)
            }
            return
        }
        add(
            "one-of-changed", .oneOf, old ?? pair.old.schema, new ?? pair.new.schema, pair.path,
            old == nil ? "oneOf was added" : new == nil ? "oneOf was removed" : "oneOf changed")
    }

    mutating func compareRefused(_ pair: SchemaPair) {
        switch (pair.old.schema(in: .not), pair.new.schema(in: .not)) {
        case (nil, nil): break
        case (nil, let new?): add("not-added", .not, nil, new, pair.path, "not \(Self.short(new)) was added")
        case (let old?, nil): add("not-removed", .not, old, nil, pair.path, "not \(Self.short(old)) was removed")
        case (let old?, let new?):
            if !areEquivalent(old, new) {
                add(
                    "not-changed", .not, old, new, pair.path,
                    "not changed from \(Self.short(old)) to \(Self.short(new))")
            }
        }
    }
}
