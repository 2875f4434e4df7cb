internal import JSONSchema

extension ChangeFinder {
    mutating func compareAnyOf(_ pair: SchemaPair) {
        let keyword = SchemaKeyword.anyOf
        switch (pair.old[keyword], pair.new[keyword]) {
        case (nil, nil): break
        case (nil, let new?): add("any-of-introduced", keyword, nil, new, pair.path, "anyOf was added")
        case (let old?, nil):
            add(
                "any-of-dropped", keyword, old, pair.new.schema, pair.path, "anyOf was taken away", danger: pair.watch)
        case (.some, .some):
            compareParts(
                pair, pair.old.schemas(in: keyword), pair.new.schemas(in: keyword), keyword, added: "any-of-added",
                removed: "any-of-removed")
        }
    }

    mutating func compareCondition(_ pair: SchemaPair, _ keyword: SchemaKeyword) {
        let (old, new) = (pair.old.schema(in: keyword), pair.new.schema(in: keyword))
        guard old != nil || new != nil else { return }
        if let old, let new, saySame(old, new) {
            compare(old, new, at: pair.path, isWatched: pair.isWatched)
            return
        }
        add(
            "condition-changed", keyword, old, new ?? pair.new.schema, pair.path,
            old == nil ? "\(keyword) was added" : new == nil ? "\(keyword) was taken away" : "\(keyword) changed")
    }

    mutating func compareReferences(_ pair: SchemaPair) {
        let (old, new) = (pair.old.openReference, pair.new.openReference)
        guard !leadSame(old, new) else { return }
        add(
            "reference-changed", (new ?? old)?.keyword ?? .ref, old, new ?? pair.new.schema, pair.path,
            Self.areEqual(old, new)
                ? "what the reference \(Self.short(new)) leads to changed"
                : "the reference \(Self.short(old)) became \(Self.short(new))")
    }

    /// Compares schemas that belong together in any order: those that say the same are left out, the rest is compared
    /// pair by pair if as many are left on both sides.
    mutating func compareParts(
        _ pair: SchemaPair, _ old: [Subschema], _ new: [Subschema], _ keyword: SchemaKeyword, added: String,
        removed: String
    ) {
        var gone = old
        var come: [Subschema] = []
        for part in new {
            if let location = gone.firstIndex(where: { saySame($0, part) }) {
                // The words may have changed all the same.
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
                removed, keyword, part, pair.new.schema, pair.path, "\(Self.short(part)) was taken out of \(keyword)",
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
        if old != nil, new != nil, before.count == after.count, zip(before, after).allSatisfy({ saySame($0, $1) }) {
            for (before, after) in zip(before, after) {
                compare(before, after, at: pair.path, isWatched: pair.isWatched)
            }
            return
        }
        add(
            "one-of-changed", .oneOf, old ?? pair.old.schema, new ?? pair.new.schema, pair.path,
            old == nil ? "oneOf was added" : new == nil ? "oneOf was taken away" : "oneOf changed")
    }

    mutating func compareRefused(_ pair: SchemaPair) {
        switch (pair.old.schema(in: .not), pair.new.schema(in: .not)) {
        case (nil, nil): break
        case (nil, let new?): add("not-added", .not, nil, new, pair.path, "not \(Self.short(new)) was added")
        case (let old?, nil): add("not-removed", .not, old, nil, pair.path, "not \(Self.short(old)) was taken away")
        case (let old?, let new?):
            if !saySame(old, new) {
                add(
                    "not-changed", .not, old, new, pair.path,
                    "not \(Self.short(old)) became not \(Self.short(new))")
            }
        }
    }
}
