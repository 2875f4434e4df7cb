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
            case "x-pii":
                // Whether more or less is protected is asked of all schemas together; that it was looked at is a note.
                guard PersonalProtection(old) == PersonalProtection(new) else { continue }
                add(
                    "documentation-changed", keyword, old, new ?? pair.new.place, pair.path,
                    "x-pii \(Self.short(old)) became \(Self.short(new))")
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
}
