internal import JSONSchema

extension ChangeFinder {
    mutating func compareAnyOf(_ pair: SchemaPair) {
        let keyword = SchemaKeyword.anyOf
        switch (pair.old[keyword], pair.new[keyword]) {
        case (nil, nil): break
        case (nil, let new?):
            add(
                "any-of-introduced", keyword: keyword, old: nil, new: new, path: pair.path,
                explanation: "anyOf was added")
        case (let old?, nil):
            add(
                "any-of-dropped", keyword: keyword, old: old, new: pair.new.schema, path: pair.path,
                explanation: "anyOf was removed", danger: pair.watch)
        case (.some, .some):
            compareParts(
                pair, old: pair.old.schemas(in: keyword), new: pair.new.schemas(in: keyword), keyword: keyword,
                added: "any-of-added",
                removed: "any-of-removed")
        }
    }

    mutating func compareCondition(_ pair: SchemaPair, _ keyword: SchemaKeyword) {
        let old = pair.old.schema(in: keyword)
        let new = pair.new.schema(in: keyword)
        guard old != nil || new != nil else { return }
        if let old, let new, areEquivalent(old, new) {
            compare(old, new, at: pair.path, isWatched: pair.isWatched)
            return
        }
        add(
            "condition-changed", keyword: keyword, old: old, new: new ?? pair.new.schema, path: pair.path,
            explanation: old == nil
                ? "\(keyword) was added" : new == nil ? "\(keyword) was removed" : "\(keyword) changed")
    }

    mutating func compareReferences(_ pair: SchemaPair) {
        let old = pair.old.openReference
        let new = pair.new.openReference
        guard !haveSameTarget(old, new) else { return }
        add(
            "reference-changed", keyword: (new ?? old)?.keyword ?? .ref, old: old, new: new ?? pair.new.schema,
            path: pair.path,
            explanation: Self.areEqual(old, new)
                ? "the target of the reference \(Self.short(new)) changed"
                : "the reference changed from \(Self.short(old)) to \(Self.short(new))")
    }

    /// Compares unordered lists of schemas: equivalent schemas are skipped, and the rest is compared in pairs if both
    /// sides have equally many left.
    mutating func compareParts(
        _ pair: SchemaPair, old: [Subschema], new: [Subschema], keyword: SchemaKeyword, added: String,
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
                removed, keyword: keyword, old: part, new: pair.new.schema, path: pair.path,
                explanation: "\(Self.short(part)) was removed from \(keyword)",
                danger: pair.watch)
        }
        for part in come {
            add(
                added, keyword: keyword, old: pair.old.schema, new: part, path: pair.path,
                explanation: "\(Self.short(part)) was added to \(keyword)")
        }
    }

    mutating func compareAlternatives(_ pair: SchemaPair) {
        let old = pair.old[.oneOf]
        let new = pair.new[.oneOf]
        guard old != nil || new != nil else { return }
        let before = pair.old.schemas(in: .oneOf)
        let after = pair.new.schemas(in: .oneOf)
        if old != nil, new != nil, before.count == after.count, zip(before, after).allSatisfy({ areEquivalent($0, $1) })
        {
            for (before, after) in zip(before, after) {
                compare(before, after, at: pair.path, isWatched: pair.isWatched)
            }
            return
        }
        add(
            "one-of-changed", keyword: .oneOf, old: old ?? pair.old.schema, new: new ?? pair.new.schema,
            path: pair.path,
            explanation: old == nil ? "oneOf was added" : new == nil ? "oneOf was removed" : "oneOf changed")
    }

    mutating func compareRefused(_ pair: SchemaPair) {
        switch (pair.old.schema(in: .not), pair.new.schema(in: .not)) {
        case (nil, nil): break
        case (nil, let new?):
            add(
                "not-added", keyword: .not, old: nil, new: new, path: pair.path,
                explanation: "not \(Self.short(new)) was added")
        case (let old?, nil):
            add(
                "not-removed", keyword: .not, old: old, new: nil, path: pair.path,
                explanation: "not \(Self.short(old)) was removed")
        case (let old?, let new?):
            if !areEquivalent(old, new) {
                add(
                    "not-changed", keyword: .not, old: old, new: new, path: pair.path,
                    explanation: "not changed from \(Self.short(old)) to \(Self.short(new))")
            }
        }
    }
}
