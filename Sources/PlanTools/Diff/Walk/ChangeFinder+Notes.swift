internal import JSONSchema

extension ChangeFinder {
    /// Keywords that are about the version's own file, or hold schemas that count where they are referred to.
    private static let silent: Set<String> = [
        "$id", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$vocabulary", "x-lint", "x-since",
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
        let (before, after) = (Self.protection(old), Self.protection(new))
        let words = "x-pii \(Self.short(old)) became \(Self.short(new))"
        let rule: String
        switch (before, after) {
        // That it was looked at is a note.
        case ((0, 0), (0, 0)): rule = "documentation-changed"
        case ((0, 0), _): rule = "personal-marked"
        case (_, (0, 0)): rule = "personal-unmarked"
        default: rule = before < after ? "personal-tightened" : "personal-loosened"
        }
        add(rule, "x-pii", old, new ?? pair.new.place, pair.path, words)
    }

    /// How much of a value is kept away: more is more. What is not of the grammar counts as personal and kept.
    private static func protection(_ place: SchemaPlace?) -> (level: Int, shortness: Int) {
        guard let place else { return (0, 0) }
        switch PersonalData(place.value) {
        case PersonalData.none?: return (0, 0)
        case .truncated(let count)?: return (2, -count)
        case .hashed?: return (3, 0)
        case .dropped?: return (4, 0)
        case .kept?, nil: return (1, 0)
        }
    }
}
