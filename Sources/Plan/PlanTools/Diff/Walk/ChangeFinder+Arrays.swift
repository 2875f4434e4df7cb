internal import JSONSchema

extension ChangeFinder {
    mutating func compareArrays(_ pair: SchemaPair) {
        compareCount(pair, "minItems", absent: 0, raised: "min-items-raised", lowered: "min-items-lowered")
        compareCount(pair, "maxItems", absent: .max, raised: "max-items-raised", lowered: "max-items-lowered")
        let wasUnique = pair.old["uniqueItems"]?.value.boolean == true
        let isUnique = pair.new["uniqueItems"]?.value.boolean == true
        if wasUnique != isUnique {
            add(
                isUnique ? "unique-added" : "unique-removed", "uniqueItems", pair.old["uniqueItems"],
                pair.new["uniqueItems"], pair.path,
                isUnique ? "no element may stand twice" : "an element may stand twice")
        }
        comparePrefix(pair)
        compareRest(
            pair, "items", "unevaluatedItems", closed: "array-closed", opened: "array-opened",
            restricted: "items-restricted", freed: "items-freed", what: "further elements")
        compareContains(pair)
    }

    private mutating func comparePrefix(_ pair: SchemaPair) {
        let old = pair.old["prefixItems"]?.elements ?? []
        let new = pair.new["prefixItems"]?.elements ?? []
        for (place, (before, after)) in zip(old, new).enumerated() {
            compare(before, after, at: pair.path + [String(place)])
        }
        for (place, after) in new.enumerated().dropFirst(old.count) {
            add(
                "prefix-item-added", "prefixItems", pair.old["prefixItems"], after, pair.path + [String(place)],
                "element \(place) is described now")
        }
        for (place, before) in old.enumerated().dropFirst(new.count) {
            add(
                "prefix-item-removed", "prefixItems", before, pair.new["prefixItems"] ?? pair.new.place,
                pair.path + [String(place)], "element \(place) is no longer described")
        }
    }

    private mutating func compareContains(_ pair: SchemaPair) {
        let (old, new) = (pair.old["contains"], pair.new["contains"])
        switch (old, new) {
        case (nil, nil): break
        case (nil, let new?): add("contains-added", "contains", nil, new, pair.path, "contains was added")
        case (let old?, nil):
            add("contains-removed", "contains", old, nil, pair.path, "contains was taken away", danger: pair.watch)
        case (let old?, let new?):
            // A schema that takes more is met more often, which maxContains may refuse: so it is not walked into.
            if saySame(old, new) {
                compare(old, new, at: pair.path + ["*"])
            } else {
                add("contains-changed", "contains", old, new, pair.path, "contains changed")
            }
            for keyword in ["minContains", "maxContains"] where !Self.areEqual(pair.old[keyword], pair.new[keyword]) {
                add(
                    "contains-changed", keyword, pair.old[keyword] ?? old, pair.new[keyword] ?? new, pair.path,
                    "\(keyword) \(Self.short(pair.old[keyword])) became \(Self.short(pair.new[keyword]))")
            }
        }
    }
}
