internal import JSONSchema

extension ChangeFinder {
    mutating func compareCombined(_ pair: SchemaPair) {
        compareParts(pair, pair.old.parts, pair.new.parts, "allOf", added: "all-of-added", removed: "all-of-removed")
        switch (pair.old["anyOf"], pair.new["anyOf"]) {
        case (nil, nil): break
        case (nil, let new?): add("any-of-introduced", "anyOf", nil, new, pair.path, "anyOf was added")
        case (let old?, nil):
            add(
                "any-of-dropped", "anyOf", old, pair.new.place, pair.path, "anyOf was taken away", danger: pair.watch)
        case (let old?, let new?):
            compareParts(pair, old.elements, new.elements, "anyOf", added: "any-of-added", removed: "any-of-removed")
        }
        compareAlternatives(pair)
        compareRefused(pair)
        for keyword in ["if", "then", "else"] {
            let (old, new) = (pair.old[keyword], pair.new[keyword])
            guard old != nil || new != nil else { continue }
            if let old, let new, saySame(old, new) {
                compare(old, new, at: pair.path, isWatched: pair.isWatched)
                continue
            }
            add(
                "condition-changed", keyword, old, new ?? pair.new.place, pair.path,
                old == nil ? "\(keyword) was added" : new == nil ? "\(keyword) was taken away" : "\(keyword) changed")
        }
        if !leadSame(pair.old.openReference, pair.new.openReference) {
            let keyword = (pair.new.openReference ?? pair.old.openReference)?.pointer.tokens.last ?? "$ref"
            add(
                "reference-changed", keyword, pair.old.openReference, pair.new.openReference ?? pair.new.place,
                pair.path,
                Self.areEqual(pair.old.openReference, pair.new.openReference)
                    ? "what the reference \(Self.short(pair.new.openReference)) leads to changed"
                    : "the reference \(Self.short(pair.old.openReference)) became \(Self.short(pair.new.openReference))"
            )
        }
    }

    /// Compares schemas that belong together in any order: those that say the same are left out, the rest is compared
    /// pair by pair if as many are left on both sides.
    private mutating func compareParts(
        _ pair: SchemaPair, _ old: [SchemaPlace], _ new: [SchemaPlace], _ keyword: String, added: String,
        removed: String
    ) {
        var gone = old
        var come: [SchemaPlace] = []
        for part in new {
            if let place = gone.firstIndex(where: { saySame($0, part) }) {
                // The words may have changed all the same.
                compare(gone[place], part, at: pair.path, isWatched: pair.isWatched)
                gone.remove(at: place)
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
                removed, keyword, part, pair.new.place, pair.path, "\(Self.short(part)) was taken out of \(keyword)",
                danger: pair.watch)
        }
        for part in come {
            add(added, keyword, pair.old.place, part, pair.path, "\(Self.short(part)) was added to \(keyword)")
        }
    }

    private mutating func compareAlternatives(_ pair: SchemaPair) {
        let (old, new) = (pair.old["oneOf"], pair.new["oneOf"])
        guard old != nil || new != nil else { return }
        let (before, after) = (old?.elements ?? [], new?.elements ?? [])
        if old != nil, new != nil, before.count == after.count, zip(before, after).allSatisfy({ saySame($0, $1) }) {
            for (before, after) in zip(before, after) {
                compare(before, after, at: pair.path, isWatched: pair.isWatched)
            }
            return
        }
        add(
            "one-of-changed", "oneOf", old ?? pair.old.place, new ?? pair.new.place, pair.path,
            old == nil ? "oneOf was added" : new == nil ? "oneOf was taken away" : "oneOf changed")
    }

    private mutating func compareRefused(_ pair: SchemaPair) {
        switch (pair.old["not"], pair.new["not"]) {
        case (nil, nil): break
        case (nil, let new?): add("not-added", "not", nil, new, pair.path, "not \(Self.short(new)) was added")
        case (let old?, nil): add("not-removed", "not", old, nil, pair.path, "not \(Self.short(old)) was taken away")
        case (let old?, let new?):
            if !saySame(old, new) {
                add(
                    "not-changed", "not", old, new, pair.path,
                    "not \(Self.short(old)) became not \(Self.short(new))")
            }
        }
    }
}
