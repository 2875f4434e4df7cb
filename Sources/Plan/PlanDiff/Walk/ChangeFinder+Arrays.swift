internal import JSONSchema

extension ChangeFinder {
    mutating func compareUniqueness(_ pair: SchemaPair) {
        let old = pair.old[.uniqueItems]
        let new = pair.new[.uniqueItems]
        let isUnique = new?.value.boolean == true
        guard (old?.value.boolean == true) != isUnique else { return }
        add(
            isUnique ? "unique-added" : "unique-removed", keyword: .uniqueItems, old: old, new: new, path: pair.path,
            explanation: isUnique ? "elements must be unique" : "elements may repeat")
    }

    mutating func comparePrefix(_ pair: SchemaPair) {
        let old = pair.old.schemas(in: .prefixItems)
        let new = pair.new.schemas(in: .prefixItems)
        for (location, (before, after)) in zip(old, new).enumerated() {
            compare(before, after, at: pair.path + [String(location)])
        }
        for (location, after) in new.enumerated().dropFirst(old.count) {
            add(
                "prefix-item-added", keyword: .prefixItems, old: pair.old[.prefixItems], new: after,
                path: pair.path + [String(location)],
                explanation: "element \(location) is now described")
        }
        for (location, before) in old.enumerated().dropFirst(new.count) {
            add(
                "prefix-item-removed", keyword: .prefixItems, old: before,
                new: pair.new[.prefixItems] ?? pair.new.schema,
                path: pair.path + [String(location)], explanation: "element \(location) is no longer described")
        }
    }

    mutating func compareContains(_ pair: SchemaPair) {
        let old = pair.old.schema(in: .contains)
        let new = pair.new.schema(in: .contains)
        switch (old, new) {
        case (nil, nil): break
        case (nil, let new?):
            add(
                "contains-added", keyword: .contains, old: nil, new: new, path: pair.path,
                explanation: "contains was added")
        case (let old?, nil):
            add(
                "contains-removed", keyword: .contains, old: old, new: nil, path: pair.path,
                explanation: "contains was removed", danger: pair.watch)
        case (let old?, let new?):
            // A schema that accepts more matches more elements, which maxContains may reject, so it is not compared
            // deeper.
            if areEquivalent(old, new) {
                compare(old, new, at: pair.path + ["*"])
            } else {
                add(
                    "contains-changed", keyword: .contains, old: old, new: new, path: pair.path,
                    explanation: "contains changed")
            }
            for keyword in [SchemaKeyword.minContains, .maxContains]
            where !Self.areEqual(pair.old[keyword], pair.new[keyword]) {
                add(
                    "contains-changed", keyword: keyword, old: pair.old[keyword] ?? old, new: pair.new[keyword] ?? new,
                    path: pair.path,
                    explanation: "\(keyword) \(Self.short(pair.old[keyword])) became \(Self.short(pair.new[keyword]))")
            }
        }
    }
}
