internal import JSONSchema

/// Walks through two schemas side by side and lists what changed, by the table of rules.
struct ChangeFinder {
    let oldLibrary: SchemaLibrary
    let newLibrary: SchemaLibrary
    private(set) var changes: [SchemaChange] = []
    /// The pairs that are being compared: schemas that refer to themselves come to an end.
    private var open: Set<PairKey> = []
    /// The pairs that were compared, and the changes found there.
    private var done: [PairKey: (depth: Int, changes: Range<Int>)] = [:]
    private let likeness: SchemaLikeness

    /// Past so many changes none is listed again for each place that refers to the same schema.
    private static let mostChanges = 1000

    private struct PairKey: Hashable {
        let old: SchemaPlace.Key
        let new: SchemaPlace.Key
        let isWatched: Bool
    }

    init(
        from old: SchemaPlace, in oldLibrary: SchemaLibrary, to new: SchemaPlace, in newLibrary: SchemaLibrary
    ) {
        self.oldLibrary = oldLibrary
        self.newLibrary = newLibrary
        likeness = SchemaLikeness(
            SchemaReach(from: old, in: oldLibrary), SchemaReach(from: new, in: newLibrary))
    }

    /// The changes from one schema to another, in the order of the new one's keywords.
    static func changes(
        from old: JSONDocument, in oldLibrary: SchemaLibrary, to new: JSONDocument, in newLibrary: SchemaLibrary
    ) -> [SchemaChange] {
        let (old, new) = (SchemaPlace(root: old), SchemaPlace(root: new))
        var finder = ChangeFinder(from: old, in: oldLibrary, to: new, in: newLibrary)
        finder.compare(old, new, at: [])
        finder.comparePersonal(old, new)
        return finder.changes
    }

    /// Compares two schemas that are applied to the same value. A pair that was compared before is not walked again.
    ///
    /// - Parameter isWatched: Whether a schema around it asks which members or elements it evaluates.
    mutating func compare(_ old: SchemaPlace, _ new: SchemaPlace, at path: [String], isWatched: Bool = false) {
        let key = PairKey(old: old.key, new: new.key, isWatched: isWatched)
        if let known = done[key] {
            for change in changes[known.changes] where changes.count < Self.mostChanges {
                changes.append(change.moved(to: path + change.path.dropFirst(known.depth)))
            }
            return
        }
        let pair = SchemaPair(
            old: SchemaView(old, in: oldLibrary), new: SchemaView(new, in: newLibrary), path: path,
            isWatchedAround: isWatched)
        let inner = PairKey(old: pair.old.place.key, new: pair.new.place.key, isWatched: isWatched)
        guard open.insert(inner).inserted else { return }
        let first = changes.count
        compare(pair)
        open.remove(inner)
        done[key] = (path.count, first..<changes.count)
    }

    private mutating func compare(_ pair: SchemaPair) {
        guard pair.old.isFalse == pair.new.isFalse else {
            let isForbidden = pair.new.isFalse
            add(
                isForbidden ? "value-forbidden" : "value-allowed", "false", pair.old.place, pair.new.place, pair.path,
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
    ///
    /// - Parameter danger: What stands beside it and may make old events invalid, whatever the rule says; nil for
    ///   nothing.
    mutating func add(
        _ rule: String, _ keyword: String, _ old: SchemaPlace?, _ new: SchemaPlace?, _ path: [String],
        _ explanation: String, danger: String? = nil
    ) {
        guard let rule = ChangeRules.rule(rule) else { return }
        let danger = rule.bump < .model ? danger : nil
        changes.append(
            SchemaChange(
                rule: rule, old: old.map { Self.written($0, oldLibrary) },
                new: new.map { Self.written($0, newLibrary) },
                path: path, keyword: keyword, explanation: explanation + (danger.map { ", beside \($0)" } ?? ""),
                needed: danger == nil ? rule.bump : .model))
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
    func saySame(_ old: SchemaPlace, _ new: SchemaPlace) -> Bool { likeness.saySame(old, new) }

    /// Whether two references that hang on where the schemas are used lead to the same.
    func leadSame(_ old: SchemaPlace?, _ new: SchemaPlace?) -> Bool {
        guard let old, let new else { return old == nil && new == nil }
        return likeness.leadSame(old, new)
    }
}
