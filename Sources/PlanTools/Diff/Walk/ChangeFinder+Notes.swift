internal import JSONSchema

extension ChangeFinder {
    /// Keywords that carry the version's own name, or hold schemas that count where they are referred to.
    private static let silent: Set<String> = [
        "$id", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$vocabulary",
    ]

    mutating func compareNotes(_ pair: SchemaPair) {
        for keyword in Set(pair.old.keywords.keys).union(pair.new.keywords.keys).sorted() {
            guard case .note = KeywordShape(keyword), !Self.silent.contains(keyword) else { continue }
            let (old, new) = (pair.old[keyword], pair.new[keyword])
            guard !Self.areEqual(old, new) else { continue }
            switch keyword {
            case "x-pii": comparePersonal(pair, old, new)
            case "contentEncoding", "contentMediaType", "contentSchema":
                add(
                    "content-changed", keyword, old, new, pair.path,
                    "\(keyword) \(Self.short(old)) became \(Self.short(new))")
            default:
                add(
                    "documentation-changed", keyword, old, new ?? pair.new.place, pair.path,
                    old == nil
                        ? "\(keyword) was added"
                        : new == nil ? "\(keyword) was taken away" : "\(keyword) has other words")
            }
        }
    }

    private mutating func comparePersonal(_ pair: SchemaPair, _ old: SchemaPlace?, _ new: SchemaPlace?) {
        let wasPersonal = old.map { $0.value.boolean != false } ?? false
        let isPersonal = new.map { $0.value.boolean != false } ?? false
        switch (wasPersonal, isPersonal) {
        case (false, false): break
        case (false, true): add("personal-marked", "x-pii", old, new, pair.path, "the value counts as personal")
        case (true, false):
            add(
                "personal-unmarked", "x-pii", old, new ?? pair.new.place, pair.path,
                "the value no longer counts as personal")
        case (true, true):
            add("personal-changed", "x-pii", old, new, pair.path, "x-pii \(Self.short(old)) became \(Self.short(new))")
        }
    }
}
