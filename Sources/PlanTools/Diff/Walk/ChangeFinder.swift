internal import JSONSchema

/// Walks through two schemas side by side and lists what changed, by the table of rules.
struct ChangeFinder {
    let oldLibrary: SchemaLibrary
    let newLibrary: SchemaLibrary
    private(set) var changes: [SchemaChange] = []
    /// The pairs of places that are being compared: schemas that refer to themselves come to an end.
    private var seen: [(old: SchemaPlace, new: SchemaPlace)] = []

    init(from oldLibrary: SchemaLibrary, to newLibrary: SchemaLibrary) {
        self.oldLibrary = oldLibrary
        self.newLibrary = newLibrary
    }

    /// The changes from one schema to another, in the order of the new one's keywords.
    static func changes(
        from old: JSONDocument, in oldLibrary: SchemaLibrary, to new: JSONDocument, in newLibrary: SchemaLibrary
    ) -> [SchemaChange] {
        var finder = ChangeFinder(from: oldLibrary, to: newLibrary)
        finder.compare(SchemaPlace(root: old), SchemaPlace(root: new), at: [])
        return finder.changes
    }

    /// Compares two schemas that are applied to the same value.
    mutating func compare(_ old: SchemaPlace, _ new: SchemaPlace, at path: [String]) {
        let pair = SchemaPair(
            old: SchemaView(old, in: oldLibrary), new: SchemaView(new, in: newLibrary), path: path)
        let places = (old: pair.old.place, new: pair.new.place)
        guard !seen.contains(where: { $0.old.isSame(as: places.old) && $0.new.isSame(as: places.new) }) else { return }
        seen.append(places)
        defer { seen.removeLast() }
        guard pair.old.isFalse == pair.new.isFalse else {
            let isForbidden = pair.new.isFalse
            add(
                isForbidden ? "value-forbidden" : "value-allowed", "false", old, new, path,
                isForbidden ? "no value is taken any more" : "values are taken")
            return
        }
        compareTypes(pair)
        compareValues(pair)
        compareObjects(pair)
        compareNumbers(pair)
        compareStrings(pair)
        compareArrays(pair)
        compareCombined(pair)
        compareNotes(pair)
    }

    /// Notes a change.
    mutating func add(
        _ rule: String, _ keyword: String, _ old: SchemaPlace?, _ new: SchemaPlace?, _ path: [String],
        _ explanation: String
    ) {
        guard let rule = ChangeRules.rule(rule) else { return }
        changes.append(
            SchemaChange(
                rule: rule, old: old.map { Self.written($0, oldLibrary) },
                new: new.map { Self.written($0, newLibrary) },
                path: path, keyword: keyword, explanation: explanation, needed: rule.bump))
    }

    private static func written(_ place: SchemaPlace, _ library: SchemaLibrary) -> ChangePlace {
        let (file, line) = library.file(of: place)
        return ChangePlace(file: file, line: line, pointer: place.pointer)
    }

    /// A value of a schema in a message: in one line, and not too long.
    static func short(_ place: SchemaPlace?) -> String {
        guard let place else { return "none" }
        let written = (try? ExactJSON(place.value))?.written() ?? String(decoding: place.value.source, as: UTF8.self)
        return written.count > 60 ? written.prefix(57) + "…" : written
    }

    /// Whether two say the same, as values or as written.
    static func areEqual(_ left: SchemaPlace?, _ right: SchemaPlace?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        // A value that cannot be taken out is compared byte by byte.
        if let mine = try? ExactJSON(left.value), let theirs = try? ExactJSON(right.value) { return mine == theirs }
        return left.value.source.elementsEqual(right.value.source)
    }

    /// Whether two schemas say the same when their references are followed.
    func saySame(_ old: SchemaPlace, _ new: SchemaPlace) -> Bool {
        let mine = try? ReferenceInliner(library: oldLibrary).inline(old)
        let theirs = try? ReferenceInliner(library: newLibrary).inline(new)
        if let mine, let theirs { return mine == theirs }
        return Self.areEqual(old, new)
    }
}

/// Two schemas for the same value.
struct SchemaPair {
    let old: SchemaView
    let new: SchemaView
    /// The way to the value.
    let path: [String]
}
